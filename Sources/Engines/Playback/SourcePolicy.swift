// SPDX-License-Identifier: Apache-2.0
import Programming

/// Chooses which of a video's usable sources is played (PLAY-20).
public struct SourcePolicy: Sendable {
    public let choose: @Sendable ([Source]) -> Source?

    public init(_ choose: @escaping @Sendable ([Source]) -> Source?) { self.choose = choose }

    /// The first source of the first of these deliveries that there is. Sources of other deliveries are never played.
    public static func ordered(_ order: [Source.Delivery]) -> SourcePolicy {
        SourcePolicy { sources in
            order.lazy.compactMap { delivery in sources.first { $0.delivery == delivery } }.first
        }
    }

    /// The policy of the reference: the first HLS source, otherwise the first MP4 (PLAY-21).
    public static let reference = ordered([.hls, .mp4])

    /// The first source, whatever its delivery.
    public static let first = SourcePolicy { $0.first }
}
