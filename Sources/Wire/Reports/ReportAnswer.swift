// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes

/// What a reporter answers to a batch. What is neither acknowledged nor refused is sent again.
public struct ReportAnswer: Equatable, Sendable {
    public static let mostOctets = 256 << 10
    /// Ranges, and refused reports.
    static let mostElements = 1_000

    /// The start whose reports these are.
    public let boot: String
    /// Sequences of reports that are on the reporter's disk, whenever they came there.
    public let acknowledged: RangeSet<UInt64>
    public let refused: [ReportRefusal]
    /// How many reports the next batch may have, 1 to `ReportBatch.mostReports`.
    public let credit: Int

    /// - Parameters:
    ///   - acknowledged: of `Report.sequences`.
    ///   - refused: at most one for each report of a batch.
    ///   - credit: taken into the range that there is.
    public init(
        boot: String, acknowledged: RangeSet<UInt64>, refused: [ReportRefusal] = [],
        credit: Int = ReportBatch.mostReports
    ) {
        self.boot = boot
        self.acknowledged = acknowledged
        self.refused = refused
        self.credit = min(max(1, credit), ReportBatch.mostReports)
    }

    /// The answer as a document. Of ranges, those with the greatest sequences are written if there are too many.
    public var json: JSONValue {
        var document: JSONValue = [
            "boot": .string(boot),
            "acknowledged": .array(
                acknowledged.ranges.suffix(Self.mostElements).map { range in
                    [.integer(Int64(clamping: range.lowerBound)), .integer(Int64(clamping: range.upperBound - 1))]
                }),
            "refused": .array(
                refused.prefix(Self.mostElements).map { refusal in
                    ["sequence": .integer(Int64(clamping: refusal.sequence)), "why": .string(refusal.why)]
                }),
        ]
        if credit != ReportBatch.mostReports { document["credit"] = .integer(Int64(credit)) }
        return document
    }

    public var octets: [UInt8] { json.octets() }
}

extension ReportAnswer {
    private static let limits = JSONLimits(maximumDepth: 8, maximumOctets: mostOctets, maximumValues: 10_000)
    private static let sequence = ValueKind.integer(1...Int64.max)

    private static let kind = ValueKind.record([
        FieldDescription("boot", .formatted(.boot), .required, "The start whose reports these are."),
        FieldDescription(
            "acknowledged", .list(of: .list(of: sequence, 2...2), 0...mostElements), .required,
            "Ranges of sequences that are on the reporter's disk, both ends included."),
        FieldDescription(
            "refused",
            .list(
                of: .record([
                    FieldDescription("sequence", sequence, .required, "Of the report."),
                    FieldDescription("why", .anything, .optional, "The reason."),
                ]), 0...mostElements), .required, "What the reporter will never take."),
        FieldDescription(
            "credit", .integer(1...Int64(ReportBatch.mostReports)), .optional,
            "How many reports the next batch may have."),
    ])

    /// - Throws: if it is not the answer of a reporter, such as the page of a login.
    public init(parsing octets: [UInt8]) throws(ReportError) {
        let document = try ReportError.document(octets, within: Self.limits)
        let problems = Self.kind.problemsOfKnown(in: document)
        guard problems.isEmpty else { throw .invalid(problems) }
        guard let boot = document["boot"]?.string else { preconditionFailure("the kind lets nothing pass without it") }
        var acknowledged = RangeSet<UInt64>()
        for (index, range) in (document["acknowledged"]?.array ?? []).enumerated() {
            let ends = (range.array ?? []).compactMap(\.integer).compactMap { UInt64(exactly: $0) }
            guard ends.count == 2, ends[0] <= ends[1] else {
                throw .invalid([
                    Problem(
                        path: "/acknowledged/\(index)", value: range,
                        expectation: "the first and the last sequence of a range")
                ])
            }
            acknowledged.insert(contentsOf: ends[0]..<ends[1] + 1)
        }
        let refused = (document["refused"]?.array ?? []).compactMap { element in
            Report.sequence(of: element).map { ReportRefusal($0, element["why"]?.string ?? "") }
        }
        self.init(
            boot: boot, acknowledged: acknowledged, refused: refused,
            credit: document["credit"]?.integer.map { Int($0) } ?? ReportBatch.mostReports)
    }
}
