// SPDX-License-Identifier: Apache-2.0
import Time

/// The channel and its programmes, shown for a while after tuning.
public struct ChannelBanner: Hashable, Sendable {
    /// A programme as the banner writes it.
    public struct Line: Hashable, Sendable {
        public var title: String
        /// `20:15–21:45`, `20:15`, or empty if the start is not known.
        public var span: String

        init(_ programme: Programme, in zone: TimeZoneRules) {
            title = programme.title
            // A stop time alone would be read as a start time.
            let ends = programme.start.map { [$0, programme.stop].compactMap(\.self) } ?? []
            span = ends.map { zone.civil(at: $0).clock }.joined(separator: "–")
        }
    }

    /// Logical number; nil if the channel has none.
    public var number: Int?
    public var name: String
    /// Path of a PNG file.
    public var logo: String?
    public var now: Line?
    public var next: Line?
    /// The part of `now` that has passed, 0...100; nil if its times are not known.
    public var elapsed: Int?
    /// The local time, as in `20:15`.
    public var clock: String

    /// The banner for the minute in which `wall` lies.
    init(_ channel: ScreenText.ChannelLabel, at wall: WallTime, in zone: TimeZoneRules) {
        let minute = wall.seconds - (wall.seconds % 60 + 60) % 60
        number = channel.number
        (name, logo) = (channel.name, channel.logo)
        // A programme whose time is over is left out, even if the stream still announces it.
        func isOver(_ programme: Programme) -> Bool { programme.stop.map { $0 <= wall } ?? false }
        let current = channel.now.flatMap { isOver($0) ? nil : $0 }
        now = current.map { Line($0, in: zone) }
        next = channel.next.flatMap { isOver($0) ? nil : Line($0, in: zone) }
        elapsed = current.flatMap { programme in
            guard let start = programme.start?.seconds, let stop = programme.stop?.seconds else { return nil }
            return stop <= start ? 0 : Int(min(max(0, minute - start), stop - start) * 100 / (stop - start))
        }
        clock = zone.civil(at: wall).clock
    }
}
