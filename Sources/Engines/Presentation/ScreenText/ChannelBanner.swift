// SPDX-License-Identifier: Apache-2.0
import Time

/// Which channel this is and what is on: shown for a while after tuning.
public struct ChannelBanner: Hashable, Sendable {
    /// A programme as the banner writes it.
    public struct Line: Hashable, Sendable {
        public var title: String
        /// `20:15–21:45`.
        public var span: String

        init(_ programme: Programme, in zone: TimeZoneRules) {
            title = programme.title
            span = "\(zone.civil(at: programme.start).clock)–\(zone.civil(at: programme.stop).clock)"
        }
    }

    /// Nil: it has none.
    public var number: Int?
    public var name: String
    public var now: Line?
    public var next: Line?
    /// Of `now`, 0...100.
    public var elapsed: Int?
    /// `20:15`.
    public var clock: String

    /// As it is throughout a minute of `wall`.
    init(_ channel: ScreenText.ChannelLabel, at wall: WallTime, in zone: TimeZoneRules) {
        let minute = wall.seconds - (wall.seconds % 60 + 60) % 60
        number = channel.number
        name = channel.name
        // What is over is not on, whatever the stream says last.
        let current = channel.now.flatMap { $0.stop > wall ? $0 : nil }
        now = current.map { Line($0, in: zone) }
        next = channel.next.flatMap { $0.stop > wall ? Line($0, in: zone) : nil }
        elapsed = current.map { programme in
            let (start, stop) = (programme.start.seconds, programme.stop.seconds)
            return stop <= start ? 0 : Int(min(max(0, minute - start), stop - start) * 100 / (stop - start))
        }
        clock = zone.civil(at: wall).clock
    }
}
