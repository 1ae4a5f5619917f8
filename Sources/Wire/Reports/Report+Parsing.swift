// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes
import Time

extension Report {
    private static let limits = JSONLimits(maximumDepth: 16, maximumOctets: mostOctets, maximumValues: 60_000)

    static let kind = ValueKind.record(fields + VenueReport.fields)

    private static let fields = [
        FieldDescription("report", .integer(1...1), .required, "Version of the report's form."),
        FieldDescription("box", .text(1...64), .required, "Id of the box."),
        FieldDescription("boot", .formatted(.boot), .required, "Id of this start of the service."),
        FieldDescription(
            "sequence", .integer(1...Int64.max), .required, "Counts the reports of this start, without gaps."),
        FieldDescription(
            "kind", .choice(Kind.allCases.map(\.rawValue)), .required, "How the box is, what happened, or a venue."),
        FieldDescription("monotonicMs", .integer(0...Int64.max), .required, "Monotonic clock of the box."),
        FieldDescription("wall", .formatted(.instant), .optional, "When; absent while nobody has set the clock."),
        FieldDescription(
            "coversMs", .integer(0...Int64.max), .required,
            "Time since the report of the same kind before, or since the start."),
        FieldDescription("identity", identity, .optional, "What the box is called and what it runs."),
        FieldDescription("tags", .list(of: .text(0...256), 0...256), .optional, "Tags of the box."),
        FieldDescription("dimensions", .list(of: .text(0...256), 0...3), .optional, "What the venue sorts boxes by."),
        FieldDescription("service", service, .optional, "Whether the service is up, and why not."),
        FieldDescription("wifi", list(by: "interface"), .optional, "Each interface of a radio."),
        FieldDescription("interfaces", list(by: "interface"), .optional, "Each wired interface."),
        FieldDescription("accessPoints", list(by: "bssid"), .optional, "What came over each access point."),
        FieldDescription("sessions", list(by: "region"), .optional, "What plays in each region."),
        FieldDescription("statistics", .record([]), .optional, "What was counted: groups with labels and values."),
        FieldDescription("events", .list(of: .record([]), 0...1_000), .optional, "What happened."),
    ]

    private static let identity = ValueKind.record(
        ["name", "group", "version", "build"].map { name in
            FieldDescription(name, .text(0...256), .optional, "The \(name) of the box.")
        })

    private static let service = ValueKind.record([
        FieldDescription("state", .text(1...64), .optional, "State of the service."),
        FieldDescription("reasons", .list(of: .text(1...64), 0...32), .optional, "Why it is not up."),
        FieldDescription("isInVenue", .boolean, .optional, "Whether the box hears its venue."),
    ])

    /// - Parameter name: the member by which each element is told from the others.
    private static func list(by name: String) -> ValueKind {
        .list(of: .record([FieldDescription(name, .text(1...64), .required, "Which one it is.")]), 0...256)
    }

    /// Reads one line, with or without a line feed at its end.
    /// - Throws: what is wrong with it, each with its place.
    public init(parsing line: some Collection<UInt8>) throws(ReportError) {
        try self.init(Self.document(line))
    }

    static func document(_ line: some Collection<UInt8>) throws(ReportError) -> JSONValue {
        try ReportError.document(line, within: limits)
    }

    /// The sequence of a document that need not be a report; nil if it has none.
    static func sequence(of document: JSONValue) -> UInt64? {
        document["sequence"]?.integer.flatMap { UInt64(exactly: $0) }.flatMap { sequences.contains($0) ? $0 : nil }
    }

    init(_ document: JSONValue) throws(ReportError) {
        let problems = Self.kind.problemsOfKnown(in: document)
        guard problems.isEmpty else { throw .invalid(problems) }
        guard let box = document["box"]?.string, let boot = document["boot"]?.string,
            let sequence = Self.sequence(of: document), let kind = document["kind"]?.string.flatMap(Kind.init),
            let monotonicMs = document["monotonicMs"]?.integer, let coversMs = document["coversMs"]?.integer
        else { preconditionFailure("the kind lets nothing pass without them") }
        self.box = box
        self.boot = boot
        self.sequence = sequence
        self.kind = kind
        self.monotonicMs = monotonicMs
        self.wall = document["wall"]?.string.flatMap { WallTime(rfc3339: $0) }
        self.coversMs = coversMs
        self.document = document
    }

    /// The JSON Schema 2020-12 of a report.
    public static var jsonSchema: JSONValue {
        ValueKind.opened(
            kind.jsonSchema(
                id: "urn:touchline:report:1", title: "Report",
                description: "What a box tells its reporter; config/REPORTS.md says what each member means."))
    }
}
