// SPDX-License-Identifier: Apache-2.0
import Time

/// Decides by what the time of day goes that people see: by the box's clock, or, until anything has set that since the
/// start, by the time in the stream that plays.
///
/// It is for display alone. What expires, is logged or is written down has the box's clock, right or wrong.
public struct DisplayedTime: Sendable {
    public enum Source: String, Sendable, CaseIterable { case clock, stream }

    /// Earlier times are of a recording, or of a head-end that has no clock either: 2026-01-01.
    public static let earliest = WallTime(nanoseconds: 1_767_225_600_000_000_000)
    /// 2100-01-01.
    public static let latest = WallTime(nanoseconds: 4_102_444_800_000_000_000)
    /// How far a stream may be behind the box's clock, which goes on from when the box was last on. A stream that is
    /// further behind is a recording.
    public static let tolerance = Nanoseconds.seconds(86_400)
    /// How long a stream's time is kept after the stream was left. Another says its own at least every 30 s
    /// (EN 300 468 5.1.4).
    public static let patience = Nanoseconds.seconds(60)

    private var heard: StreamTime?
    /// When the stream was left that said it; nil while that plays.
    private var leftAt: Monotonic?
    private var isClockRight = false

    public init() {}

    /// To be called once a second. The clock counts as right for ever once it was synchronised.
    public mutating func observe(isClockSynchronised: Bool, at now: Monotonic) {
        if isClockSynchronised { isClockRight = true }
        if isClockRight || leftAt.map({ now - $0 >= Self.patience }) ?? false { heard = nil }
    }

    /// Takes what the stream that plays says. What cannot be is ignored.
    /// - Parameter wall: the box's clock at `now`.
    public mutating func hear(_ time: StreamTime, at now: Monotonic, wall: WallTime) {
        let said = time.time(at: now)
        let floor = wall.nanoseconds - Self.tolerance.count
        guard !isClockRight, said >= Self.earliest, said < Self.latest, said.nanoseconds >= floor else { return }
        heard = time
        leftAt = nil
    }

    /// The stream that plays was left.
    public mutating func left(at now: Monotonic) { leftAt = now }

    /// What the stream said by which the displayed time goes; nil if that goes by the box's clock.
    public var stream: StreamTime? { heard }
    public var source: Source { heard == nil ? .clock : .stream }
}
