// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import TestSupport
import Testing

extension Interop {
    /// Reports of boxes that Python plays, and the reporter's database as Python's sqlite3 reads it.
    @Suite(.enabled(if: Peer.curl.isThere)) struct KeptReportsTests {
        /// The reporter is killed again and again while boxes send, `TOUCHLINE_KILLS` times. What it acknowledged is there,
        /// and all of it once.
        @Test func whatIsAcknowledgedIsThereOnce() async throws {
            try await TestVenue.open(ownNetwork: true) { venue in
                let scene = ReporterScene(venue)
                try await scene.start()
                let input = Pipe()
                let traffic = try venue.start(
                    [
                        "python3", ReporterScene.program, "traffic", scene.url, ReporterScene.boxToken, "12",
                        "\(Interop.seed)", scene.acknowledged,
                    ],
                    name: "traffic", input: input.fileHandleForReading)
                var random = SplitMix64(seed: Interop.seed)
                let kills = ProcessInfo.processInfo.environment["TOUCHLINE_KILLS"].flatMap(Int.init) ?? 8
                for _ in 0..<kills {
                    try await Task.sleep(for: .milliseconds(Int.random(in: 50...500, using: &random)))
                    try await scene.kill()
                    try await scene.start()
                }
                try await Task.sleep(for: .milliseconds(500))
                try input.fileHandleForWriting.close()
                #expect(try await traffic.exitCode(within: .seconds(30)) == 0, "\(traffic.messages)")
                let sent = try JSONValue.parse(traffic.outputText)
                #expect(sent["problems"] == [], "seed \(Interop.seed): \(sent.text())")
                let found = try await scene.check()
                print("kills: \(kills), \(sent["requests"]?.text() ?? "") requests, \(found.text())")
                #expect(found["acknowledged"]?.integer ?? 0 > 100)
                for name in ["lost", "doubled", "wrong", "ledgerDiffers", "packetsDiffer"] {
                    #expect(found[name] == 0, "\(name), seed \(Interop.seed): \(found.text())")
                }
                #expect(found["integrity"] == "ok" && found["version"] == 5)
                // A backup of the running reporter is whole, and another reporter goes on with it.
                let copy = venue.directory.file("copy.db")
                try await venue.succeed([
                    try Programs.path("touchline-reporter"), "--config", scene.configuration, "--backup", copy,
                ])
                let copied = try await scene.check(copy)
                #expect(copied["lost"] == 0 && copied["integrity"] == "ok")
            }
        }

        /// The requests of people, by curl; what each refuses; and whether the answers are as the document has them.
        @Test func answersAsItsDocumentSays() async throws {
            try await TestVenue.open(ownNetwork: true) { venue in
                let scene = ReporterScene(venue)
                try await scene.start()
                let boot = "00000001-0123456789abcdef"
                let line = """
                    {"report":1,"box":"b 1","boot":"\(boot)","sequence":7,"kind":"state","monotonicMs":1,"coversMs":10,\
                    "wall":"1970-01-01T00:00:09Z","identity":{"name":"Bar, \\"upper\\""},"service":{"state":"up"},\
                    "accessPoints":[{"bssid":"02:AA:00:00:00:01","channel":36,"packets":9,"lost":1,"seconds":5,"signalDbm":-61}]}
                    """
                let body = try venue.directory.write(
                    line + "\n" + line.replacing("b 1", with: "c").replacing(":7,", with: ":8,"), to: "body")
                let sent = try await scene.curl(
                    "boxes/b%201/reports", ReporterScene.boxToken, "--data-binary", "@\(body)", "-H",
                    "Content-Type: application/x-ndjson")
                #expect(sent.code == 200 && sent.document["acknowledged"] == [[7, 7]], "\(sent)")
                #expect(sent.document.at("/refused/0/sequence") == 8)
                #expect(sent.document.at("/refused/0/why")?.string?.contains("\"c\"") == true)

                let box = try await scene.curl("boxes/b%201").document
                #expect(box.at("/latest/report/sequence") == 7 && box.at("/latest/clock") == "wrong", "\(box.text())")
                #expect(try await scene.curl("boxes").document.at("/boxes/0/latest/state") == "up")
                let gaps = try await scene.curl("boxes/b%201/gaps").document
                #expect(gaps.at("/starts/0/missing") == 6 && gaps.at("/starts/0/ranges") == [[1, 6]])
                let points = try await scene.curl("accesspoints").document
                #expect(
                    points.at("/accessPoints/0/bssid") == "02:aa:00:00:00:01"
                        && points.at("/accessPoints/0/signalDbm") == -61)
                #expect(try await scene.curl("channels").document.at("/channels/0/lost") == 1)
                let rows = try await scene.text("v1/boxes/b%201/reports?format=csv", ReporterScene.operatorToken).split(
                    separator: "\r\n")
                #expect(rows.count == 2 && rows.last?.contains(",b 1,\(boot),7,state,\"{") == true, "\(rows)")

                // Bombs, pages for people, and what is cut.
                let bomb = venue.directory.file("bomb")
                try await venue.succeed(["sh", "-c", "head -c 50000000 /dev/zero | gzip > \(bomb)"])
                for (file, more, code) in [
                    (bomb, ["-H", "Content-Encoding: gzip"], 413), (body, ["-H", "Content-Encoding: gzip"], 400),
                    (body, ["-H", "Content-Encoding: br"], 415),
                    (try venue.directory.write("<html>", to: "page"), [], 422),
                    (try venue.directory.write(String(repeating: "x", count: 2 << 20), to: "large"), [], 413),
                ] {
                    let words = ["--data-binary", "@\(file)", "-H", "Content-Type: application/x-ndjson"] + more
                    #expect(
                        try await scene.curl("boxes/b/reports", ReporterScene.boxToken, words).code == code,
                        "\(file) \(more)")
                }
                #expect(
                    try await scene.curl("boxes/b/reports", ReporterScene.operatorToken, "--data-binary", "@\(body)")
                        .code
                        == 401)

                let metrics = try await scene.text("metrics", ReporterScene.metricsToken)
                #expect(
                    metrics.contains("touchline_reporter_store_kept_reports_total 1\n") && metrics.hasSuffix("# EOF\n"),
                    "\(metrics)")
                #expect(try await scene.text("metrics", ReporterScene.operatorToken).contains("EOF") == false)
                #expect(try await scene.text("health", "") == "{\"isHealthy\":true}")
                if JSONSchemaPeer.isThere {
                    let document = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                        .deletingLastPathComponent()
                        .deletingLastPathComponent().appendingPathComponent("config/reporter.openapi.json").path
                    let child = try await venue.succeed([
                        "python3", ReporterScene.program, "schemas", document, scene.url, ReporterScene.operatorToken,
                        "b%201", ReporterScene.metricsToken,
                    ])
                    let found = try JSONValue.parse(child.outputText)
                    #expect(found["problems"] == [] && found["looked"]?.integer ?? 0 >= 8, "\(found.text())")
                }
                try Peer.curl.log(test: "reports", checks: 20)
            }
        }

        /// Its disk has no room: nothing is acknowledged and everything before is there; then it has room again.
        @Test func aFullDiskIsToldAndRecovers() async throws {
            guard getuid() == 0 else { return print("SKIP: a small disk needs root") }
            try await TestVenue.open(ownNetwork: true) { venue in
                let disk = venue.directory.file("disk")
                try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
                try await venue.succeed(["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", disk])
                let scene = ReporterScene(venue, in: "disk")
                do {
                    try await scene.start()
                    var (sequence, kept, code) = (0, 0, 200)
                    func send() async throws {
                        sequence += 1
                        let line = """
                            {"report":1,"box":"b","boot":"00000001-0123456789abcdef","sequence":\(sequence),"kind":"event",\
                            "monotonicMs":1,"coversMs":1,"events":[{"text":"\(String(repeating: "x", count: 100_000))"}]}
                            """
                        let path = try venue.directory.write(line, to: "line")
                        let words = ["--data-binary", "@\(path)", "-H", "Content-Type: application/x-ndjson"]
                        code = try await scene.curl("boxes/b/reports", ReporterScene.boxToken, words).code
                        if code == 200 { kept += 1 } else { sequence -= 1 }
                    }
                    while code == 200, sequence < 100 { try await send() }
                    #expect(code == 503 && kept > 5, "\(code), \(kept) kept")
                    #expect(try await scene.text("health", "").contains("\"full\""))
                    try await send()
                    #expect(code == 503)
                    try await venue.succeed(["mount", "-o", "remount,size=20m", disk])
                    // Nobody sends anything meanwhile.
                    let isWell = try await eventually(within: .seconds(15)) {
                        try await scene.text("health", "").contains("true")
                    }
                    #expect(isWell)
                    try await send()
                    #expect(code == 200)
                    let gaps = try await scene.curl("boxes/b/gaps").document
                    #expect(gaps.at("/starts/0/last") == .integer(Int64(kept)) && gaps.at("/starts/0/missing") == 0)
                } catch {
                    Issue.record("\(error)")
                }
                try await scene.kill()
                try await venue.succeed(["umount", disk])
            }
        }

        /// The database file is moved away and comes back: what was not acknowledged is taken then, without a new start.
        @Test func aStoreThatIsGoneIsToldAndComesBack() async throws {
            try await TestVenue.open(ownNetwork: true) { venue in
                let scene = ReporterScene(venue)
                try await scene.start()
                let line = """
                    {"report":1,"box":"b","boot":"00000001-0123456789abcdef","sequence":1,"kind":"event","monotonicMs":1,"coversMs":1}
                    """
                let words = ["--data-binary", line, "-H", "Content-Type: application/x-ndjson"]
                for suffix in ["", "-wal", "-shm"] {
                    try? FileManager.default.moveItem(
                        atPath: scene.database + suffix, toPath: scene.database + ".away" + suffix)
                }
                let refused = try await scene.curl("boxes/b/reports", ReporterScene.boxToken, words)
                #expect(refused.code == 503, "\(refused)")
                #expect(try await scene.text("health", "").contains("\"gone\""))
                for suffix in ["", "-wal", "-shm"] {
                    try? FileManager.default.moveItem(
                        atPath: scene.database + ".away" + suffix, toPath: scene.database + suffix)
                }
                #expect(try await scene.curl("boxes/b/reports", ReporterScene.boxToken, words).code == 200)
                #expect(try await scene.text("health", "").contains("true"))
            }
        }
    }
}
