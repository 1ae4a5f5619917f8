// SPDX-License-Identifier: Apache-2.0
import JSON

/// What a client of CSS-TS says of itself: when it presents the content, and between which instants it could (TS 103 286-2
/// clause 5.7, "actual, earliest and latest presentation timestamp"). A server may use it to choose a delay for all, or
/// ignore it.
public struct PresentationTimestamps: Hashable, Sendable {
    /// Octets of the longest text that is read; a WebSocket message above them may be refused unread.
    public static let mostOctets = 4_096

    /// The content at a place of the timeline is presented at an instant of the wall clock.
    public struct Presentation: Hashable, Sendable {
        /// Ticks of the timeline.
        public let contentTime: Int64
        public let wallClockTime: WallClockTime

        public init(contentTime: Int64, wallClockTime: WallClockTime) {
            self.contentTime = contentTime
            self.wallClockTime = wallClockTime
        }
    }

    /// The content at a place of the timeline could be presented from an instant on, or until then.
    public struct Bound: Hashable, Sendable {
        /// Ticks of the timeline.
        public let contentTime: Int64
        /// Nil if there is no bound: `minusinfinity` of the earliest, `plusinfinity` of the latest presentation.
        public let wallClockTime: WallClockTime?

        public init(contentTime: Int64, wallClockTime: WallClockTime?) {
            self.contentTime = contentTime
            self.wallClockTime = wallClockTime
        }
    }

    /// Nil if the client presents nothing.
    public let actual: Presentation?
    public let earliest: Bound
    public let latest: Bound

    public init(actual: Presentation?, earliest: Bound, latest: Bound) {
        self.actual = actual
        self.earliest = earliest
        self.latest = latest
    }

    private static let never = (earliest: "minusinfinity", latest: "plusinfinity")

    /// - Throws: `CompanionMessageError` for the first property that is missing or wrong.
    public init(parsing text: [UInt8]) throws(CompanionMessageError) {
        let fields = try MessageFields(parsing: text, mostOctets: Self.mostOctets)
        if let actual = try fields.objectIfPresent("actual") {
            self.actual = Presentation(
                contentTime: try actual.contentTime(), wallClockTime: try actual.wallClockTime())
        } else {
            actual = nil
        }
        earliest = try Bound(try fields.object("earliest"), unbounded: Self.never.earliest)
        latest = try Bound(try fields.object("latest"), unbounded: Self.never.latest)
    }

    /// The text of the message in UTF-8.
    public var octets: [UInt8] {
        var text = MessageText()
        if let actual {
            text.add("actual", octets: Self.octets(actual.contentTime, String(actual.wallClockTime.nanoseconds)))
        }
        for (name, bound, unbounded) in [
            ("earliest", earliest, Self.never.earliest), ("latest", latest, Self.never.latest),
        ] {
            let instant = bound.wallClockTime.map { String($0.nanoseconds) } ?? unbounded
            text.add(name, octets: Self.octets(bound.contentTime, instant))
        }
        return text.octets
    }

    private static func octets(_ contentTime: Int64, _ wallClockTime: String) -> [UInt8] {
        var text = MessageText()
        text.add("contentTime", .string(String(contentTime)))
        text.add("wallClockTime", .string(wallClockTime))
        return text.octets
    }
}

extension PresentationTimestamps.Bound {
    fileprivate init(_ fields: MessageFields, unbounded: String) throws(CompanionMessageError) {
        contentTime = try fields.contentTime()
        wallClockTime = fields.members["wallClockTime"] == .string(unbounded) ? nil : try fields.wallClockTime()
    }
}

extension MessageFields {
    fileprivate func contentTime() throws(CompanionMessageError) -> Int64 {
        try required("contentTime", expected: "ticks, an integer in a string") { $0.lenientInteger }
    }
}
