// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Synchronization
import System
import TestSupport
import Testing
import Time

@testable import Box

/// One box, and changes of its channel with rewinds, as fast as pictures come: `TOUCHLINE_CHANGES` of them.
@Suite(.serialized, .enabled(if: OwnNetwork.canBeMade && Groups.canBeJoined)) struct ChangeTests {
    private static let count =
        ProcessInfo.processInfo.environment["TOUCHLINE_CHANGES"].flatMap(Int.init) ?? 10
    /// Fewer changes say nothing about memory. The log of events is full after some five hundred.
    private static let fewest = 1_500
    /// KiB of anonymous memory that a change may cost.
    private static let most = 0.2
    private static let port: UInt16 = 21_510
    private static let names = ["One", "Two", "Three"]

    private struct Media: @unchecked Sendable { let plane: MediaPlane }

    /// Each change shows a picture, and nothing of it stays in memory.
    @Test func changesLeaveNothing() throws {
        let problems = try OwnNetwork.run { try Self.run() }
        #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
    }

    private static func run() throws -> [String] {
        guard OwnNetwork.shell("ip link set lo up") else { return ["there is no interface"] }
        let film = try LoopedFilm("h264-opus", version: 0)
        let senders = try names.indices.map { try FaultySender(port: port + UInt16($0) * 2, [film]) }
        defer { for sender in senders { sender.stop() } }
        let held = Mutex<Media?>(nil)
        let box = try RunningBox(
            settings,
            made: { box in
                let media = Media(plane: box.control.media)
                held.withLock { $0 = media }
            })
        _ = try box.await("status", within: .seconds(20)) { $0["isPlaying"] == true }
        let media = try #require(held.withLock { $0 })
        var random = SplitMix64(seed: Effort.seed)
        var (problems, memory): ([String], [Double]) = ([], [])
        var current = 0
        for number in 1...count where problems.count < 5 {
            // The channel that was left last is still received, the third is not.
            current = (current + Int.random(in: 1...2, using: &random)) % names.count
            _ = try box.answer("tune", names[current])
            if !isShown(by: media.plane) { problems.append("change \(number): no picture of \(names[current])") }
            let span = Int.random(in: 100...1_500, using: &random)
            let rewound = try box.answer("rewind", "\(span)")
            if let why = rewound["errorString"] { problems.append("rewind \(number): \(why.text())") }
            let usage = try ProcessUsage()
            memory.append(Double(usage.anonymous))
            guard number % 100 == 0 else { continue }
            print("change \(number): \(usage)")
            fflush(nil)  // a soak is watched
        }
        if box.end() != .ok { problems.append("the box did not end well") }
        guard memory.count >= fewest else { return problems }
        let trend = Trend(Array(memory.dropFirst(memory.count / 3)))
        print("KiB of anonymous memory: \(trend)")
        if !trend.isFlat(within: most) { problems.append("KiB of anonymous memory: \(trend)") }
        return problems
    }

    /// Waits for the first picture of the session that was opened last.
    private static func isShown(by media: MediaPlane) -> Bool {
        let before = media.regionCounters("main")
        let end = SystemClock.monotonic() + .seconds(5)
        while SystemClock.monotonic() < end {
            let now = media.regionCounters("main")
            if now.session != before.session, now.picturesPresented > before.picturesPresented { return true }
            if now.session == before.session, now.picturesPresented > before.picturesPresented + 1 { return true }
            SystemClock.sleep(until: SystemClock.monotonic() + .milliseconds(10))
        }
        return false
    }

    private static var settings: JSONValue {
        let channels = names.enumerated().map { index, name -> JSONValue in
            [
                "name": .string(name), "address": .string(FaultySender.group),
                "port": .integer(Int64(port) + Int64(index) * 2), "encapsulation": "rtp",
            ]
        }
        return [
            "network": ["interface": "lo"], "announcements": ["groups": []], "channels": .array(channels),
            "output": ["width": 320, "height": 180], "log": ["level": "error"], "sound": ["kind": "null"],
            "playback": ["autoTune": "One", "playoutDelayMs": 100, "historyMs": 3_000, "historyLimitMB": 4],
        ]
    }
}
