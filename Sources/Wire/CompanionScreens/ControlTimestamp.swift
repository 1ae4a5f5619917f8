// SPDX-License-Identifier: Apache-2.0
import JSON

/// What a server of CSS-TS says of the timeline (TS 103 286-2 clause 5.7): where it is at one instant of the wall clock
/// and how fast it goes, or that it is not available.
public struct ControlTimestamp: Hashable, Sendable {
    /// Octets of the longest text that is read; a WebSocket message above them may be refused unread.
    public static let mostOctets = 4_096
    /// The fastest timeline either way that is read.
    public static let mostSpeed: Double = 1_000

    /// A place on a timeline, and its movement.
    public struct Movement: Hashable, Sendable {
        /// Ticks of the timeline.
        public let contentTime: Int64
        /// 1 is the usual speed, 0 a pause, −1 backwards; −1 000...1 000.
        public let speed: Double

        /// - Parameter speed: −1 000...1 000.
        public init(contentTime: Int64, speed: Double) {
            precondition(speed.magnitude <= ControlTimestamp.mostSpeed)
            self.contentTime = contentTime
            self.speed = speed
        }
    }

    /// When the timeline is at `contentTime`, or since when it is not available.
    public let wallClockTime: WallClockTime
    /// Nil while the timeline is not available: the content is another one, or has no such timeline.
    public let movement: Movement?

    public init(wallClockTime: WallClockTime, movement: Movement?) {
        self.wallClockTime = wallClockTime
        self.movement = movement
    }

    /// A `contentTime` or `timelineSpeedMultiplier` that is missing counts as null; integers are read as numbers too.
    /// - Throws: `CompanionMessageError` for the first property that is wrong, and if only one of the two is null.
    public init(parsing text: [UInt8]) throws(CompanionMessageError) {
        let fields = try MessageFields(parsing: text, mostOctets: Self.mostOctets)
        let contentTime = try fields.optional("contentTime", expected: "an integer in a string, or null") {
            $0.lenientInteger
        }
        wallClockTime = try fields.wallClockTime()
        let speed = try fields.optional(
            "timelineSpeedMultiplier", expected: "a number -1000...1000, or null"
        ) { value in
            value.lenientNumber.flatMap { $0.magnitude <= Self.mostSpeed ? $0 : nil }
        }
        switch (contentTime, speed) {
        case (let contentTime?, let speed?): movement = Movement(contentTime: contentTime, speed: speed)
        case (nil, nil): movement = nil
        case (nil, _): throw fields.failure("contentTime", expected: "an integer, as the timeline has a speed,")
        case (_, nil):
            throw fields.failure("timelineSpeedMultiplier", expected: "a number, as there is a content time,")
        }
    }

    /// The text of the message in UTF-8.
    public var octets: [UInt8] {
        var text = MessageText()
        text.add("contentTime", movement.map { .string(String($0.contentTime)) } ?? .null)
        text.add("wallClockTime", .string(String(wallClockTime.nanoseconds)))
        text.add("timelineSpeedMultiplier", movement.map { .number($0.speed) } ?? .null)
        return text.octets
    }

    /// Where the timeline is at an instant, before or after the time stamp. Computed in integers; the speed counts in
    /// billionths.
    /// - Returns: ticks, rounded down; nil if the timeline is not available or the ticks do not fit.
    public func position(at instant: WallClockTime, on timeline: TimelineProperties) -> Int64? {
        guard let movement else { return nil }
        let (elapsed, isTooLong) = instant.nanoseconds.subtractingReportingOverflow(wallClockTime.nanoseconds)
        let speed = Int64((movement.speed * 1_000_000_000).rounded())
        guard !isTooLong, let moved = elapsed.scaled(by: speed, over: 1_000_000_000),
            let ticks = timeline.ticks(nanoseconds: moved)
        else { return nil }
        let (position, isBeyond) = movement.contentTime.addingReportingOverflow(ticks)
        return isBeyond ? nil : position
    }
}

extension MessageFields {
    /// The member `wallClockTime`, which is an integer.
    func wallClockTime() throws(CompanionMessageError) -> WallClockTime {
        let nanoseconds = try required("wallClockTime", expected: "nanoseconds, an integer in a string") {
            $0.lenientInteger
        }
        return WallClockTime(nanoseconds: nanoseconds)
    }
}
