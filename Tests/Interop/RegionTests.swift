// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import TestSupport
import Testing

extension Interop {
    /// A venue's reporter that tells a region, each a process of its own.
    @Suite(.enabled(if: Peer.curl.isThere)) struct RegionTests {
        private static let program = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("regions.py").path

        private static func upstream(_ url: String) -> JSONValue {
            [
                "url": .string("\(url)/v1/boxes/{box}/reports"), "token": .string(ReporterScene.boxToken),
                "venue": "arena", "intervalS": 1,
            ]
        }

        private static func compare(
            _ venue: TestVenue, _ arena: ReporterScene, _ region: ReporterScene
        ) async throws -> JSONValue {
            try JSONValue.parse(
                try await venue.succeed([
                    "python3", program, "compare", arena.database, region.database, "arena",
                    arena.database + ".upstream/place.json",
                ]).outputText)
        }

        private static func metric(_ name: String, _ scene: ReporterScene) async throws -> Int64 {
            let text = try await scene.text("metrics", ReporterScene.metricsToken)
            let line = text.split(separator: "\n").first { $0.hasPrefix("touchline_reporter_upstream_\(name)") }
            return line?.split(separator: " ").last.flatMap { Int64($0) } ?? -1
        }

        private static func traffic(_ venue: TestVenue, _ scene: ReporterScene, _ input: Pipe) throws -> ChildProcess {
            try venue.start(
                [
                    "python3", ReporterScene.program, "traffic", scene.url, ReporterScene.boxToken, "12",
                    "\(Interop.seed)", scene.acknowledged,
                ],
                name: "traffic", input: input.fileHandleForReading)
        }

        /// Simulated venues beside the one that is killed: `TOUCHLINE_VENUES` of `TOUCHLINE_BOXES` boxes.
        private static func load(
            _ venue: TestVenue, _ region: ReporterScene, seconds: Int
        ) throws -> (child: ChildProcess, boxes: Int64) {
            let environment = ProcessInfo.processInfo.environment
            let venues = environment["TOUCHLINE_VENUES"].flatMap(Int.init) ?? 4
            let boxes = environment["TOUCHLINE_BOXES"].flatMap(Int.init) ?? 50
            let child = try venue.start(
                [
                    try Programs.path("touchline-reporter"), "simulate", "--venues", "\(venues)", "--boxes", "\(boxes)",
                    "--interval", "\(min(10, max(1, seconds / 10)))", "--seconds", "\(seconds)", "--url", region.url,
                    "--token-file", try venue.directory.write(ReporterScene.boxToken, to: "boxes.token"), "--json",
                ], name: "load")
            return (child, Int64(venues * boxes))
        }

        /// What simulated venues count as acknowledged is what the region has, once.
        private static func check(
            _ load: (child: ChildProcess, boxes: Int64), _ venue: TestVenue, _ region: ReporterScene, seconds: Int
        ) async throws {
            #expect(try await load.child.exitCode(within: .seconds(seconds + 60)) == 0, "\(load.child.messages)")
            let told = try JSONValue.parse(String(load.child.outputText.split(separator: "\n").last ?? ""))
            let found = try JSONValue.parse(
                try await venue.succeed(["python3", program, "simulated", region.database]).outputText)
            #expect(found["states"]?.integer == load.boxes, "\(found.text()), \(told.text())")
            for name in ["heardMs", "sums", "packets"] {
                #expect(found[name] == told[name], "\(name), seed \(Interop.seed): \(found.text()), \(told.text())")
            }
            print("load: \(told.text())")
        }

        /// Both are killed again and again under traffic, `TOUCHLINE_KILLS` times, while other venues tell, too. At each kill
        /// the region has what it has acknowledged, and in the end everything.
        @Test func whatTheRegionHasAcknowledgedIsThere() async throws {
            try await TestVenue.open(ownNetwork: true) { venue in
                let region = ReporterScene(venue, named: "region")
                try await region.start()
                let arena = ReporterScene(venue, named: "arena")
                try await arena.start()
                try await arena.kill()
                try await venue.succeed(["python3", Self.program, "seed", arena.database, "2000", "\(Interop.seed)"])
                arena.upstream = Self.upstream(region.url)
                try await arena.start()
                let input = Pipe()
                let traffic = try Self.traffic(venue, arena, input)
                var random = SplitMix64(seed: Interop.seed)
                let kills = ProcessInfo.processInfo.environment["TOUCHLINE_KILLS"].flatMap(Int.init) ?? 10
                let seconds = kills * 5 / 4
                let load = try Self.load(venue, region, seconds: seconds)
                for number in 0..<kills {
                    try await Task.sleep(for: .milliseconds(Int.random(in: 50...900, using: &random)))
                    let killed = Bool.random(using: &random) ? region : arena
                    try await killed.kill()
                    let found = try await Self.compare(venue, arena, region)
                    for name in ["missing", "doubled", "ledgerDiffers"] {
                        #expect(found[name] == 0, "kill \(number), \(name), seed \(Interop.seed): \(found.text())")
                    }
                    try await killed.start()
                }
                try input.fileHandleForWriting.close()
                #expect(try await traffic.exitCode(within: .seconds(30)) == 0, "\(traffic.messages)")
                // What it tells after a start is everything.
                try await arena.kill()
                try await arena.start()
                var found = JSONValue.null
                let isWhole = try await eventually(within: .seconds(120)) {
                    found = try await Self.compare(venue, arena, region)
                    return found["stale"] == 0 && found["sums"]?.integer ?? 0 >= 16_000
                        && found["missing"] == 0 && found["place"]?.integer ?? 0 > 0
                }
                print("kills: \(kills), \(found.text())")
                #expect(isWhole && found["boxes"] == 12, "seed \(Interop.seed): \(found.text())")
                for name in ["differing", "doubled", "ledgerDiffers"] {
                    #expect(found[name] == 0, "\(name), seed \(Interop.seed): \(found.text())")
                }
                #expect(found["integrity"] == "ok")
                try await Self.check(load, venue, region, seconds: seconds)
                try Peer.curl.log(test: "regions", checks: kills)
            }
        }

        /// The region's answers to people, whether they are as the document has them, and that a venue falls silent.
        @Test func aRegionTellsOfItsVenues() async throws {
            try await TestVenue.open(ownNetwork: true) { venue in
                let region = ReporterScene(venue, named: "region")
                try await region.start()
                let arena = ReporterScene(venue, named: "arena")
                arena.upstream = Self.upstream(region.url)
                try await arena.start()
                let input = Pipe()
                let traffic = try Self.traffic(venue, arena, input)
                var venues = JSONValue.null
                let isThere = try await eventually(within: .seconds(30)) {
                    venues = try await region.curl("venues").document
                    return venues.at("/venues/0/boxes") == 12
                }
                #expect(isThere && venues.at("/venues/0/venue") == "arena", "\(venues.text())")
                #expect(venues.at("/venues/0/isSilent") == false && venues.at("/venues/0/alerts") == [])
                #expect(venues.at("/venues/0/states") == [["state": "up", "boxes": 12]])
                let boxes = try await region.curl("venues/arena/boxes?limit=5").document
                #expect(boxes["boxes"]?.array?.count == 5 && boxes.at("/boxes/0/name") == "Bar box-0")
                let next = boxes["next"]?.string ?? ""
                #expect(try await region.curl("venues/arena/boxes?after=\(next)").document["boxes"]?.array?.count == 7)
                #expect(try await region.curl("venues/arena/accesspoints").code == 200)
                #expect(try await region.curl("venues/nowhere/boxes").document["boxes"] == [])
                let metrics = try await region.text("metrics", ReporterScene.metricsToken)
                #expect(metrics.contains("touchline_reporter_intake_venue_boxes_total "))
                if JSONSchemaPeer.isThere {
                    let document = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                        .deletingLastPathComponent()
                        .deletingLastPathComponent().appendingPathComponent("config/reporter.openapi.json").path
                    let child = try await venue.succeed([
                        "python3", ReporterScene.program, "schemas", document, region.url, ReporterScene.operatorToken,
                        "arena", ReporterScene.metricsToken,
                    ])
                    let found = try JSONValue.parse(child.outputText)
                    #expect(found["problems"] == [] && found["looked"]?.integer ?? 0 >= 12, "\(found.text())")
                }
                try input.fileHandleForWriting.close()
                _ = try await traffic.exitCode(within: .seconds(30))
                try await arena.kill()
                let isSilent = try await eventually(within: .seconds(60)) {
                    try await region.curl("venues").document.at("/venues/0/isSilent") == true
                }
                #expect(isSilent)
            }
        }

        /// A region that answers half, 500, a login page or nothing, and is away: in the end it has every report, and each the
        /// same however often it came.
        @Test(.enabled(if: Peer.python3.isThere)) func eachReportArrivesWhateverTheRegionAnswers() async throws {
            try await TestVenue.open(ownNetwork: true) { venue in
                let kept = venue.directory.file("kept.jsonl")
                let mode = try venue.directory.write("500", to: "mode")
                func answer(_ word: String) throws {
                    try Data(word.utf8).write(to: URL(fileURLWithPath: mode), options: .atomic)
                }
                let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                    .appendingPathComponent("reporter_peer.py").path
                let port = Int.random(in: 30_000...31_999)
                func startPeer() throws -> ChildProcess {
                    try venue.start(["python3", "-B", script, "\(port)", kept, mode], name: "region")
                }
                var peer = try startPeer()
                let arena = ReporterScene(venue, named: "arena")
                arena.upstream = Self.upstream("http://127.0.0.1:\(port)")
                try await arena.start()
                let input = Pipe()
                let traffic = try Self.traffic(venue, arena, input)
                for word in ["500", "login", "half", "nothing", "lost", "busy", "away"] {
                    if word == "away" {
                        peer.signal(SIGKILL)
                        _ = try await peer.exitCode(within: .seconds(5))
                    } else {
                        try answer(word)
                    }
                    let before = try await Self.metric("stats_upload_failures", arena)
                    let hasFailed = try await eventually(within: .seconds(30)) {
                        try await Self.metric("stats_upload_failures", arena) > before
                    }
                    #expect(hasFailed, "\(word): \(before)")
                    if word == "away" { peer = try startPeer() }
                    try answer("ok")
                    let rounds = try await Self.metric("rounds", arena)
                    let isTaken = try await eventually(within: .seconds(30)) {
                        try await Self.metric("rounds", arena) > rounds
                    }
                    #expect(isTaken, "\(word): \(rounds)")
                }
                try input.fileHandleForWriting.close()
                _ = try await traffic.exitCode(within: .seconds(30))
                try await arena.kill()
                let reports = try String(contentsOfFile: kept, encoding: .utf8).split(separator: "\n").map {
                    try JSONValue.parse(String($0))
                }
                var first: [Int64: JSONValue] = [:]
                for report in reports {
                    let sequence = report["sequence"]?.integer ?? 0
                    #expect(first[sequence] == nil || first[sequence] == report)
                    first[sequence] = report
                }
                #expect(first.count >= 7 && first.keys.sorted() == Array(1...Int64(first.count)))
                var told: Set<String> = []
                for report in first.values {
                    for box in report["boxes"]?.array ?? [] { told.insert(box["box"]?.string ?? "") }
                }
                #expect(told.count == 12)
                #expect(peer.outputText.contains("Bearer \(ReporterScene.boxToken)"))
                try Peer.python3.log(test: #function, checks: reports.count)
            }
        }
    }
}
