// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes

/// Reports that went up together, as a reporter reads them: lines of JSON (`application/x-ndjson`).
///
/// A line that is no report does not spoil the others.
public struct ReportBatch: Equatable, Sendable {
    public static let mediaType = "application/x-ndjson"
    public static let mostReports = 100
    /// Octets of all lines together, before and after compression.
    public static let mostOctets = 1 << 20

    /// The start that all reports are of: that of the first line that names one; nil if no line does.
    public private(set) var boot: String?
    /// Each sequence once.
    public private(set) var reports: [Report] = []
    /// Those whose sequence could be read. No report has the sequence of one of these.
    public private(set) var refused: [ReportRefusal] = []
    /// Why other lines are no reports, each with the number of the line. The sender does not learn which these are.
    public private(set) var unreadable: [String] = []

    /// - Parameters:
    ///   - octets: of the body, not compressed.
    ///   - box: the id of the box whose reports these are to be.
    /// - Throws: if the whole batch is larger than it may be.
    public init(parsing octets: [UInt8], of box: String) throws(ReportError) {
        guard octets.count <= Self.mostOctets else {
            throw .tooLong(octets: octets.count, limit: Self.mostOctets)
        }
        let lines = octets.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard lines.count(where: { !Self.isBlank($0) }) <= Self.mostReports else {
            throw .tooMany(limit: Self.mostReports)
        }
        for (index, line) in lines.enumerated() where !Self.isBlank(line) { read(line, number: index + 1, box) }
        let taken = Set(reports.map(\.sequence))
        refused.removeAll { taken.contains($0.sequence) }
    }

    private static func isBlank(_ line: ArraySlice<UInt8>) -> Bool { line.allSatisfy { $0 == 0x20 || $0 == 0x0D } }

    private mutating func read(_ line: ArraySlice<UInt8>, number: Int, _ box: String) {
        let document: JSONValue
        do throws(ReportError) {
            document = try Report.document(line)
        } catch {
            return unreadable.append("line \(number): \(error)")
        }
        if boot == nil, let text = document["boot"], ValueKind.formatted(.boot).accepts(text) { boot = text.string }
        do throws(ReportError) {
            try take(Report(document), box)
        } catch {
            if let sequence = Report.sequence(of: document) {
                refuse(sequence, "\(error)")
            } else {
                unreadable.append("line \(number): \(error)")
            }
        }
    }

    private mutating func take(_ report: Report, _ box: String) {
        if report.box != box {
            refuse(report.sequence, "/box is \(JSONValue.string(report.box).text()); expected the box of the path")
        } else if report.boot != boot {
            refuse(report.sequence, "/boot is \(report.boot); expected that of the first report, \(boot ?? "")")
        } else if !reports.contains(where: { $0.sequence == report.sequence }) {
            reports.append(report)
        }
    }

    private mutating func refuse(_ sequence: UInt64, _ why: String) {
        if !refused.contains(where: { $0.sequence == sequence }) { refused.append(ReportRefusal(sequence, why)) }
    }

    /// The body of a batch.
    /// - Parameter lines: at most `mostReports`, each without a line feed.
    public static func octets(of lines: some Sequence<[UInt8]>) -> [UInt8] {
        var octets: [UInt8] = []
        for line in lines {
            octets += line
            octets.append(UInt8(ascii: "\n"))
        }
        return octets
    }
}
