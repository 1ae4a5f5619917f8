// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import TestSupport
import Testing

extension Interop {
    /// A box and its reporter, each killed again and again at any moment, while what passes between them is spoilt by
    /// Python, the box's disk fills up and the clocks of both step (SVM-129, SVM-131, G-10).
    @Suite(.enabled(if: Peer.python3.isThere && Peer.curl.isThere)) struct KilledTogetherTests {
        /// As often as `TOUCHLINE_KILLS` says. What the reporter ever acknowledged is there, and once; of what the box wrote
        /// nothing is missing, but for what it could not write while its disk was full.
        @Test func nothingIsLostWhoeverIsKilled() async throws {
            guard getuid() == 0 else { return print("SKIP: a small disk needs root") }
            let kills = ProcessInfo.processInfo.environment["TOUCHLINE_KILLS"].flatMap(Int.init) ?? 12
            try await TestVenue.open(ownNetwork: true) { venue in
                let scene = try await KilledScene(venue)
                do {
                    var random = SplitMix64(seed: Interop.seed)
                    for kill in 0..<kills { try await scene.round(kill, &random) }
                    try await scene.finish()
                } catch {
                    Issue.record("seed \(Interop.seed): \(error)")
                }
                try await scene.close()
            }
        }
    }
}

/// A box whose state is on a small disk, a relay that spoils, and a reporter, both with clocks that step.
private final class KilledScene {
    private let venue: TestVenue
    private let reporter: ReporterScene
    private let (disk, mode): (String, String)
    private let (boxClock, reporterClock): (SteppedClock, SteppedClock)
    private let relay: ChildProcess
    private let relayInput = Pipe()
    private let url: String
    private var box: BoxProcess?
    private var id = ""
    /// What the box had written of each start when it was asked last.
    private var written: [String: Int64] = [:]
    /// Starts during which the disk was full for a while: what was in memory alone is gone with a kill.
    private var onFullDisk: Set<String> = []
    private var count = (boxes: 0, reporters: 0, full: 0, steps: 0)

    init(_ venue: TestVenue) async throws {
        self.venue = venue
        disk = venue.directory.file("disk")
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
        try await venue.succeed(["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", disk])
        boxClock = try await SteppedClock("box", in: venue)
        reporterClock = try await SteppedClock("reporter", in: venue)
        reporter = ReporterScene(venue)
        reporter.entry = reporterClock.entry
        try await reporter.start()
        mode = try venue.directory.write("wreck", to: "mode")
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("wrecking_relay.py").path
        let port = Int.random(in: 30_000...32_000)
        relay = try venue.start(
            [
                "python3", "-B", script, "\(port)", String(reporter.url.dropFirst("http://".count)), "\(Interop.seed)",
                mode, reporter.acknowledged,
            ], name: "relay", input: relayInput.fileHandleForReading)
        url = "http://127.0.0.1:\(port)/v1/boxes/{box}/reports"
        let relay = relay
        guard try await eventually(within: .seconds(10), { relay.outputText.contains("port") }) else {
            throw VenueError("the relay does not start: \(relay.messages)")
        }
    }

    /// A box plays for a while; it, or the reporter, or both are killed.
    func round(_ number: Int, _ random: inout SplitMix64) async throws {
        if box == nil { try await startBox() }
        guard let box else { return }
        let isFull = number % 12 == 11
        if isFull {
            _ = try await venue.run(["sh", "-c", "cat /dev/zero >\(disk)/filler 2>/dev/null"])
            count.full += 1
        }
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...1_000, using: &random)))
        if number % 4 == 3 { try stepClocks(&random) }
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...1_000, using: &random)))
        let socket = try ControlSocket(box.socket)
        let (status, stats) = (try socket.ask("reports").result, try socket.ask("stats").result)
        let boot = status["boot"]?.string ?? ""
        let appended = stats.at("/stats/reports/reportsAppended")?.integer ?? 0
        written[boot] = appended - (stats.at("/stats/reports/reportsUnwritten")?.integer ?? 0)
        if isFull { onFullDisk.insert(boot) }
        #expect(status["lost"] == 0, "\(status.text())")
        // What comes between the question and the kill may be there or not.
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...300, using: &random)))
        let choice = Int.random(in: 0..<10, using: &random)
        if choice < 7 {
            box.process.signal(SIGKILL)
            _ = try await box.process.exitCode(within: .seconds(5))
            self.box = nil
            count.boxes += 1
        }
        if choice >= 6 {
            try await reporter.kill()
            try await reporter.start()
            count.reporters += 1
        }
        if isFull { try FileManager.default.removeItem(atPath: disk + "/filler") }
    }

    /// The box's clock to any time from 1970 on; the reporter's, which decides what is thrown away, by a day at most.
    private func stepClocks(_ random: inout SplitMix64) throws {
        let now = Int64(Date().timeIntervalSince1970)
        try boxClock.step(to: Int64.random(in: -now...now, using: &random))
        try reporterClock.step(to: Int64.random(in: -86_400...86_400, using: &random))
        count.steps += 1
    }

    private func startBox() async throws {
        let settings: JSONValue = [
            "http": ["isEnabled": false],
            "reports": ["url": .string(url), "token": .string(ReporterScene.boxToken), "intervalS": 1],
        ]
        let box = try await BoxProcess(settings, state: disk + "/state", through: boxClock.entry, in: venue)
        self.box = box
        let found = try ControlSocket(box.socket).ask("status").result["boxId"]?.string ?? ""
        #expect(id == "" || id == found)
        id = found
    }

    /// Everything passes from now on, and what waits arrives.
    func finish() async throws {
        try Data("pass".utf8).write(to: URL(fileURLWithPath: mode), options: .atomic)
        if box == nil { try await startBox() }
        guard let box else { return }
        let socket = try ControlSocket(box.socket)
        var status = JSONValue.null
        let isDone = try await eventually(within: .seconds(60)) {
            status = try socket.ask("reports").result
            // Before the box has read its spool there is no start, and nothing that waits.
            return status["boot"] != nil && status["pending"] == 0
        }
        #expect(isDone && status["lost"] == 0 && status["refused"] == 0, "\(status.text())")
        let found = try await reporter.check()
        let (acknowledged, kept) = (found["acknowledged"]?.text() ?? "", found["kept"]?.text() ?? "")
        print("killed: \(count), acknowledged \(acknowledged), kept \(kept)")
        for name in ["lost", "doubled", "wrong", "ledgerDiffers"] {
            #expect(found[name] == 0, "\(name), seed \(Interop.seed)")
        }
        #expect(found["integrity"] == "ok")
        // What came last of each start, and what is missing before that.
        for (boot, last) in written where !onFullDisk.contains(boot) {
            let start = found["starts"]?["\(id) \(boot)"]
            #expect(start?["last"]?.integer ?? 0 >= last, "\(boot): \(last) written, \(start?.text() ?? "none") kept")
            #expect(start?["missing"] ?? 0 == 0, "\(boot): \(start?.text() ?? "")")
        }
    }

    func close() async throws {
        if let box {
            box.process.signal(SIGKILL)
            _ = try await box.process.exitCode(within: .seconds(5))
        }
        try await reporter.kill()
        try relayInput.fileHandleForWriting.close()
        _ = try await relay.exitCode(within: .seconds(5))
        print("killed: \(relay.outputText)")
        try await venue.succeed(["umount", disk])
        try Peer.python3.log(test: "killed together", checks: written.count)
    }
}
