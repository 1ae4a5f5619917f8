// SPDX-License-Identifier: Apache-2.0
import Collecting
import HTTP
import Time

/// The query of a request, each name once and known.
struct ReporterQuery {
    private var values: [String: String] = [:]

    init(_ request: HTTPRequest, _ route: ReporterRoute) throws(ReporterRefusal) {
        for part in request.query {
            let text = String(decoding: part, as: UTF8.self)
            let words = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(words[0])
            guard words.count == 2, route.parameters.contains(name), values[name] == nil else {
                let names = route.parameters.joined(separator: ", ")
                throw ReporterRefusal(
                    400, "\(text): expected \(names.isEmpty ? "no query" : "NAME=VALUE, each once, of \(names)")")
            }
            values[name] = String(words[1])
        }
    }

    subscript(name: String) -> String? { values[name] }

    func integer(
        _ name: String, _ range: ClosedRange<Int>, standard: Int
    ) throws(ReporterRefusal) -> Int {
        guard let text = values[name] else { return standard }
        guard let value = Int(text), range.contains(value) else {
            throw ReporterRefusal(
                400, "\(name)=\(text): expected an integer of \(range.lowerBound)...\(range.upperBound)")
        }
        return value
    }

    /// From `from` to `to`, whose defaults are an hour ago and now.
    /// - Parameter most: the longest span.
    func span(at now: WallTime, most: Nanoseconds) throws(ReporterRefusal) -> Range<WallTime> {
        let to = try time("to") ?? now
        let from = try time("from") ?? WallTime(nanoseconds: to.nanoseconds - Nanoseconds.seconds(3_600).count)
        guard from < to, to.nanoseconds - from.nanoseconds <= most.count else {
            throw ReporterRefusal(
                400, "from=\(from)&to=\(to): expected a span of more than 0 and at most \(most.seconds / 3_600) hours")
        }
        return from..<to
    }

    private func time(_ name: String) throws(ReporterRefusal) -> WallTime? {
        guard let text = values[name] else { return nil }
        guard let time = WallTime(rfc3339: text) else {
            throw ReporterRefusal(400, "\(name)=\(text): expected a time like 2026-11-27T01:02:03Z")
        }
        return time
    }
}

extension ReportPlace {
    /// - Parameter text: as `text` has it; nil if it is another one.
    init?(text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
        guard parts.count == 2, let milliseconds = parts[0], let number = parts[1],
            (0...9_000_000_000_000).contains(milliseconds), number >= 0
        else { return nil }
        self.init(arrived: WallTime(nanoseconds: milliseconds * 1_000_000), number: number)
    }

    var text: String { "\(arrived.nanoseconds / 1_000_000)-\(number)" }
}
