// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTP
import JSON
import Testing
import Time

@testable import Reporter

/// The document describes what the server takes, and nothing else.
@Suite struct ReporterOpenAPITests {
    private let document: JSONValue

    init() throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("config/reporter.openapi.json")
        document = try JSONValue.parse(Array(Data(contentsOf: path)))
    }

    @Test func everyRouteIsThere() {
        var described: [String: JSONValue] = [:]
        for (path, operations) in document["paths"]?.object ?? [:] {
            for (method, operation) in operations.object ?? [:] {
                described["\(method.uppercased()) \(path)"] = operation
            }
        }
        #expect(Set(described.keys) == Set(ReporterRoute.allCases.map(\.rawValue)))
        for route in ReporterRoute.allCases {
            guard let operation = described[route.rawValue] else { continue }
            #expect(route.rawValue == "\(route.method.rawValue) \(route.path)")
            let parameters = operation["parameters"]?.array ?? []
            let names = parameters.filter { $0["in"] == "query" }.compactMap { $0["name"]?.string }
            #expect(names.sorted() == route.parameters.sorted(), "\(route)")
            let inPath = parameters.filter { $0["in"] == "path" }.compactMap { $0["name"]?.string }
            #expect(
                route.path.contains("{") == (inPath.count == 1) && inPath.allSatisfy { route.path.contains("{\($0)}") })
            let schemes = operation["security"]?.array?.flatMap { $0.object.map { Array($0.keys) } ?? [] }
            #expect(schemes == (route.access == .anybody ? [] : [route.access.rawValue]), "\(route)")
        }
    }

    /// What the document allows is taken, what it does not is refused, both by name.
    @Test func queriesAreTheDocuments() throws {
        let token = "0123456789abcdef01234567"
        let api = ReporterAPI(boxToken: "x" + token, operatorToken: token, metricsToken: nil)
        let now = WallTime(nanoseconds: 1_800_000_000_000_000_000)
        func code(_ route: ReporterRoute, _ query: String) -> Int {
            let path = route.path.replacing("{box}", with: "b").replacing("{rollout}", with: "1").replacing(
                "{venue}", with: "v")
            var request = HTTPRequest(
                route.method, path, query: query.isEmpty ? [] : query.split(separator: "&").map { Array($0.utf8) })
            request.authorization = "Bearer " + token
            do throws(ReporterRefusal) {
                _ = try api.wish(request, at: now)
                return 200
            } catch {
                return error.code
            }
        }
        let span = "from=2027-01-15T06:00:00Z&to=2027-01-15T08:00:00Z"
        let rows: [(ReporterRoute, String, Int)] = [
            (.boxes, "", 200), (.boxes, "after=b&limit=1000", 200), (.boxes, "limit=0", 400),
            (.boxes, "limit=1001", 400),
            (.boxes, "after=a&after=b", 400), (.boxes, "from=x", 400), (.box, "x=1", 400), (.box, "", 200),
            (.gaps, "", 200),
            (.reports, span + "&limit=10000&format=csv&after=5-7", 200), (.reports, "format=xml", 400),
            (.reports, "after=-7", 400),
            (.reports, "after=99999999999999999-1", 400),
            (.reports, "from=2027-01-15T08:00:00Z&to=2027-01-15T08:00:00Z", 400),
            (.reports, "from=2026-01-15T08:00:00Z", 400), (.reports, "from=yesterday", 400), (.reports, "from", 400),
            (.accessPoints, span, 200), (.channels, span + "&limit=5", 200),
            (.channels, "from=2020-01-01T00:00:00Z", 400),
            (.boxSums, span, 200), (.boxSums, "", 200), (.boxSums, "limit=1", 400),
            (.boxSums, "from=2020-01-01T00:00:00Z", 400), (.alerts, "", 200), (.alerts, "state=all&limit=1000", 200),
            (.alerts, "state=ended&after=019ac1-1", 200), (.alerts, "state=closed", 400), (.alerts, "after=", 400),
            (.alerts, "limit=1001", 400), (.alerts, "from=x", 400),
            (.venues, "after=a&limit=9", 200), (.venues, "limit=0", 400), (.venueBoxes, "limit=1001", 400),
            (.venueBoxes, "after=b", 200), (.venueAccessPoints, span, 200), (.venueChannels, "limit=0", 400),
            (.venueChannels, "after=b", 400), (.metrics, "", 200), (.health, "", 200), (.health, "deep=1", 400),
        ]
        for (route, query, expected) in rows { #expect(code(route, query) == expected, "\(route) \(query)") }
    }
}
