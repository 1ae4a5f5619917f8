// SPDX-License-Identifier: Apache-2.0
import Collecting
import Database
import Foundation
import HTTP
import JSON
import Provisioning
import Reports
import TestSupport
import Testing
import Time

@testable import Reporter

@Suite final class ReporterReportsTests {
    private let path = FileManager.default.temporaryDirectory.path + "/touchline-reports-\(UUID()).db"

    deinit {
        // Some of them may not be there.
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }

    /// The tables that the reporter made before it had reports lose nothing, and get those of reports.
    @Test func tablesOfVersionOneAreKept() throws {
        do {
            let database = try Database(path)
            for statement in ReporterStore.versions[0] { try database.execute(statement) }
            try database.execute(
                "INSERT INTO boxes VALUES ('b-1', 77, ?)", [.text(#"{"box":"b-1","name":"Bar","version":"1"}"#)])
            #expect(try database.query("PRAGMA user_version") == [[.integer(0)]])
        }
        for _ in 0..<2 {
            let read = try ReporterStore(path).read()
            #expect(read.state.boxes.keys.sorted() == ["b-1"])
            #expect(try Database(path).query("PRAGMA user_version") == [[.integer(5)]])
        }
        #expect(try ReportStore.sqlite(path).openReader().latest("", 10).isEmpty)
    }

    @Test func readsWhatIsLookedFor() throws {
        let text = """
            {"report":1,"box":"b","boot":"00000001-0123456789abcdef","sequence":3,"kind":"state","monotonicMs":1,"coversMs":2,
             "identity":{"name":"Bar"},"service":{"state":"down"},"accessPoints":[
             {"bssid":"02:AA:00:00:00:01","name":"Gate","ssid":"V","channel":36,"seconds":10,"packets":-5,"lost":9223372036854775807,
              "signalDbm":-61},{"bssid":"x","signalDbm":-900,"packets":"many"}]}
            """
        let report = IncomingReport(try Report(parsing: Array(text.replacing("\n", with: "").utf8)))
        #expect(report.sequence == 3 && report.state == .init(name: "Bar", state: "down") && report.wall == nil)
        #expect(report.air.count == 2 && report.air[0].place == .init(bssid: "02:aa:00:00:00:01", channel: 36))
        #expect(
            report.air[0].sums.packets == 0 && report.air[0].sums.lost == 1 << 40 && report.air[0].sums.signal == -61)
        #expect(report.air[1].sums == AirSums())
        let kept = try JSONValue.parse(report.text)
        #expect(kept["box"] == "b" && !report.text.contains("\n"))
    }

    @Test func answersAsTheContractHasIt() throws {
        var outcome = BatchOutcome()
        outcome.acknowledged = [1...5, 7...7]
        outcome.refused = [.init(9, "too much is missing")]
        let answer = ReportAnswer(
            outcome, boot: "00000001-0123456789abcdef", refused: [ReportRefusal(6, "another box")], credit: 7)
        #expect(answer.json["acknowledged"] == [[1, 5], [7, 7]] && answer.json["credit"] == 7)
        #expect(answer.refused.map(\.sequence) == [6, 9])
        #expect(try ReportAnswer(parsing: answer.octets) == answer)
    }

    @Test func writesTables() throws {
        let report = KeptReport(
            source: .init(box: "b,\"1\"", boot: "00000001-0123456789abcdef"), sequence: 4, isState: true, wall: nil,
            place: ReportPlace(arrived: WallTime(nanoseconds: 1_800_000_000_123_000_000), number: 9),
            text: #"{"a":"b"}"#)
        #expect(
            report.row
                == "2027-01-15T08:00:00.123Z,,\"b,\"\"1\"\"\",00000001-0123456789abcdef,4,state,\"{\"\"a\"\":\"\"b\"\"}\"\r\n"
        )
        #expect(report.line == "{\"arrived\":\"2027-01-15T08:00:00.123Z\",\"report\":{\"a\":\"b\"}}\n")
        #expect(ReportPlace(text: report.place.text) == report.place)
        for text in ["", "1", "1-", "-1-2", "1-2-3", "1--2", "x-y", "1-2 "] {
            #expect(ReportPlace(text: text) == nil, "\(text)")
        }
    }

    @Test func boxesSendWithTheirTokenOnly() {
        let api = ReporterAPI(boxToken: "b", operatorToken: "o", metricsToken: "m")
        let now = WallTime(nanoseconds: 0)
        func code(_ method: HTTPMethod, _ path: String, _ token: String, encoding: String? = nil, type: String? = nil)
            -> Int
        {
            var request = HTTPRequest(method, path, contentType: type)
            request.authorization = "Bearer \(token)"
            request.contentEncoding = encoding
            do throws(ReporterRefusal) {
                _ = try api.wish(request, at: now)
                return 200
            } catch {
                return error.code
            }
        }
        for (token, send, read, metrics) in [
            ("b", 200, 401, 401), ("o", 401, 200, 401), ("m", 401, 401, 200), ("x", 401, 401, 401),
        ] {
            #expect(code(.post, "/v1/boxes/a/reports", token) == send)
            #expect(code(.get, "/v1/boxes/a/reports", token) == read)
            #expect(code(.get, "/v1/boxes/a/gaps", token) == read)
            #expect(code(.get, "/metrics", token) == metrics)
            #expect(code(.get, "/health", token) == 200)
        }
        #expect(code(.post, "/v1/boxes/a/reports", "b", encoding: "GZIP") == 200)
        #expect(code(.post, "/v1/boxes/a/reports", "b", encoding: "br") == 415)
        #expect(code(.post, "/v1/boxes/a/reports", "b", type: "text/html") == 415)
        #expect(code(.post, "/v1/boxes/a/reports", "b", type: "application/x-ndjson; charset=utf-8") == 200)
        #expect(code(.delete, "/v1/boxes/a/reports", "b") == 405)
        #expect(code(.post, "/v1/boxes//reports", "o") == 404)
        #expect(code(.post, "/v1/boxes/\(String(repeating: "a", count: 65))/reports", "b") == 404)
    }
}
