// SPDX-License-Identifier: Apache-2.0
import Programming

/// Chooses which of a video's usable sources is played (PLAY-20).
public struct SourcePolicy: Sendable {
    public let choose: @Sendable ([Source]) -> Source?

    public init(_ choose: @escaping @Sendable ([Source]) -> Source?) { self.choose = choose }

    /// The policy of the reference: the first HLS source, otherwise the first MP4 (PLAY-21).
    public static let reference = SourcePolicy { sources in
        sources.first { $0.delivery == .hls } ?? sources.first { $0.delivery == .mp4 }
    }

    /// The policy of a venue's box: the first source of any kind.
    public static let first = SourcePolicy { $0.first }
}
