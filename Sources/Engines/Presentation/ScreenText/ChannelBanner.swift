// SPDX-License-Identifier: Apache-2.0
import Time

/// The channel and its programme, shown for a while after tuning.
public struct ChannelBanner: Hashable, Sendable {
    /// A programme in the banner's words.
    public struct Line: Hashable, Sendable {
        public var title: String
        /// `20:15–21:45`, `20:15` or empty.
        public var span: String

        init(_ programme: Programme, in zone: TimeZoneRules) {
            title = programme.title
            // An end without its beginning would be read as one.
            let ends = programme.start.map { [$0, programme.stop].compactMap(\.self) } ?? []
            span = ends.map { zone.civil(at: $0).clock }.joined(separator: "–")
        }
    }

    /// Nil if the channel has none.
    public var number: Int?
    public var name: String
    public var now: Line?
    public var next: Line?
    /// How much of `now` has passed, 0...100.
    public var elapsed: Int?
    /// `20:15`.
    public var clock: String

    /// The banner of the minute that `wall` is in.
    init(_ channel: ScreenText.ChannelLabel, at wall: WallTime, in zone: TimeZoneRules) {
        let minute = wall.seconds - (wall.seconds % 60 + 60) % 60
        number = channel.number
        name = channel.name
        // What is over is not on, whatever the stream says last.
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
