// SPDX-License-Identifier: Apache-2.0
import Time

/// The pictures of a span of a stream, by their presentation time stamps, 90 kHz.
public struct StampSpan: Hashable, Sendable, BitwiseCopyable {
    /// Time stamps have 33 bits: they begin anew after 26.5 hours.
    public static let stamps: Int64 = 1 << 33

    /// 0..<2³³.
    public let start: Int64
    /// At most 2³² − 1, so that what is before the span is not behind it too.
    public let ticks: Int64

    /// - Parameter start: of any number of turns.
    public init(from start: Int64, for span: Nanoseconds) {
        self.start = start & (Self.stamps - 1)
        ticks = max(0, min(TickRate.mpeg.ticks(span), Self.stamps / 2 - 1))
    }

    /// How much later a stamp is than another, by the shorter way: −2³²..<2³² ticks.
    /// - Parameters:
    ///   - start: of any number of turns, like `stamp`.
    public static func distance(from start: Int64, to stamp: Int64) -> Int64 {
        centred(stamp, start, stamps)
    }

    /// - Parameter stamp: of any number of turns.
    public func contains(_ stamp: Int64) -> Bool { (stamp &- start) & (Self.stamps - 1) < ticks }
}
