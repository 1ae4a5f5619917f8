// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes

/// What a venue's reporter tells a region: the sections of a report of the kind `venue`. Of what it has to tell at once there
/// may be several such reports, the last of which has the overview.
public struct VenueReport: Equatable, Sendable {
    public static let mostBoxes = 1_000
    /// Of minutes, and of hours.
    public static let mostSums = 1_000
    public static let mostStates = 64
    public static let mostAlerts = 256

    /// How the venue is as a whole.
    public struct Overview: Equatable, Sendable {
        /// How many boxes are in a state.
        public struct StateCount: Equatable, Sendable {
            public var state: String
            public var boxes: Int64

            public init(_ state: String, _ boxes: Int64) { (self.state, self.boxes) = (state, boxes) }
        }

        /// At most `mostStates`, each state once.
        public var states: [StateCount] = []
        /// The alerts that are open, each an object; at most `mostAlerts`.
        public var alerts: [JSONValue] = []
        /// When the venue tells something again, s: it is silent when that is long past.
        public var intervalS: Int64 = 10
        /// Of the venue's reporter.
        public var version: String?

        public init() {}
    }

    /// Boxes whose state has changed, and those of which nothing was told for a while; at most `mostBoxes`.
    public var boxes: [VenueBox] = []
    public var minutes: [VenueSum] = []
    public var hours: [VenueSum] = []
    /// nil if another report of the same time has it.
    public var overview: Overview?

    public init() {}

    var isEmpty: Bool { boxes.isEmpty && minutes.isEmpty && hours.isEmpty && overview == nil }

    // MARK: JSON

    static let fields = [
        FieldDescription("boxes", .list(of: VenueBox.kind, 0...mostBoxes), .optional, "Boxes of a venue."),
        FieldDescription(
            "minutes", .list(of: VenueSum.kind, 0...mostSums), .optional, "What a venue received in minutes."),
        FieldDescription(
            "hours", .list(of: VenueSum.kind, 0...mostSums), .optional, "What a venue received in hours."),
        FieldDescription(
            "states",
            .list(
                of: .record([
                    FieldDescription("state", .text(1...64), .required, "State of the service."),
                    FieldDescription("boxes", .integer(0...1_000_000), .required, "How many boxes are in it."),
                ]), 0...mostStates), .optional, "How many boxes of a venue are in which state."),
        FieldDescription(
            "alerts", .list(of: .record([]), 0...mostAlerts), .optional, "The alerts of a venue that are open."),
        FieldDescription(
            "intervalS", .integer(1...3_600), .optional, "When the venue tells something again, in seconds."),
    ]

    /// - Parameter document: of a report whose members are as `fields` have them.
    init(reading document: JSONValue) {
        boxes = (document["boxes"]?.array ?? []).compactMap { VenueBox(reading: $0) }
        minutes = (document["minutes"]?.array ?? []).compactMap { VenueSum(reading: $0) }
        hours = (document["hours"]?.array ?? []).compactMap { VenueSum(reading: $0) }
        overview = document["states"]?.array == nil ? nil : Overview(reading: document)
    }

    /// What a report has beside the members of all reports.
    public var members: [String: JSONValue] {
        var members = overview?.members ?? [:]
        if !boxes.isEmpty { members["boxes"] = .array(boxes.map(\.json)) }
        if !minutes.isEmpty { members["minutes"] = .array(minutes.map(\.json)) }
        if !hours.isEmpty { members["hours"] = .array(hours.map(\.json)) }
        return members
    }
}

extension VenueReport.Overview {
    /// - Parameter document: a report with `states`.
    public init(reading document: JSONValue) {
        self.init()
        states = (document["states"]?.array ?? []).compactMap { value in
            guard let state = value["state"]?.string, let boxes = value["boxes"]?.integer else { return nil }
            return StateCount(state, boxes)
        }
        alerts = document["alerts"]?.array ?? []
        if let seconds = document["intervalS"]?.integer { intervalS = seconds }
        version = document.at("/identity/version")?.string
    }

    var members: [String: JSONValue] {
        var members: [String: JSONValue] = [
            "states": .array(states.map { ["state": .string($0.state), "boxes": .integer($0.boxes)] }),
            "alerts": .array(alerts), "intervalS": .integer(intervalS),
        ]
        if let version { members["identity"] = ["version": .string(version)] }
        return members
    }
}

extension Report {
    /// What a venue tells in it; nil in a report of another kind.
    public var venue: VenueReport? { kind == .venue ? VenueReport(reading: document) : nil }

    /// The report without what is kept of it elsewhere: lists of boxes and sums.
    public var withoutLists: [UInt8] {
        var document = document
        for name in ["boxes", "minutes", "hours"] { document[name] = nil }
        return document.octets()
    }
}
