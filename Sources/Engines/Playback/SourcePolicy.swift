// SPDX-License-Identifier: Apache-2.0
import Programming

/// Which of a video's usable sources is played (PLAY-20).
public struct SourcePolicy: Sendable {
    public let choose: @Sendable ([Source]) -> Source?

    public init(_ choose: @escaping @Sendable ([Source]) -> Source?) { self.choose = choose }

    /// The reference's own: the first HLS, else the first MP4 (PLAY-21).
    public static let reference = SourcePolicy { sources in
        sources.first { $0.delivery == .hls } ?? sources.first { $0.delivery == .mp4 }
    }

    /// Of a venue's box: the first, whatever it is.
    public static let first = SourcePolicy { $0.first }
}
