// SPDX-License-Identifier: Apache-2.0
import Diagnosing
import JSON
import System
import TestSupport
import Testing
import Time

@testable import Box

extension BoxTests {
    /// G-12, M6: `diagnose` names what is wrong with whole boxes, and nothing where nothing is wrong.
    @Suite(.serialized, .enabled(if: OwnNetwork.canBeMade && Groups.canBeJoined)) struct DiagnosisProofTests {
        /// Boxes that run at once.
        private static let batch = 17
        /// By then a fault that lasts has shown, and the same link has to be named from then on.
        private static let settling = Nanoseconds.seconds(13)
        private static let patience = Nanoseconds.seconds(45)

        /// What became of a box.
        struct Outcome: Sendable {
            let name: String
            let expected: String
            let named: String
            let sentence: String
        }

        /// Of at most ten faults one may be named wrongly.
        @Test func eachFaultIsNamed() throws {
            let outcomes = try OwnNetwork.run { () throws -> [Outcome] in
                let venue = try StagedVenue()
                defer { venue.stop() }
                let all = StagedBox.faulty
                return try stride(from: 0, to: all.count, by: Self.batch).flatMap { start in
                    try Self.outcomes(of: Array(all[start..<min(all.count, start + Self.batch)]), in: venue)
                }
            }
            for outcome in outcomes { print("\(outcome.name): \(outcome.sentence)") }
            let wrong = outcomes.filter { $0.named != $0.expected }
            print("\(outcomes.count - wrong.count) of \(outcomes.count) faults are named")
            #expect(outcomes.count >= 20)
            #expect(
                wrong.count * 10 <= outcomes.count,
                "\(wrong.map { "\($0.name): \($0.expected), not \($0.named): \($0.sentence)" })")
        }

        private static func outcomes(of staged: [StagedBox], in venue: StagedVenue) throws -> [Outcome] {
            let machine = try StagedMachine()
            defer { machine.remove() }
            let boxes = try staged.map { try $0.start(in: venue, on: machine.root) }
            for (one, started) in zip(staged, boxes) {
                guard let hurt = one.hurt else { continue }
                _ = try started.box.await("status", within: .seconds(30)) { $0["isPlaying"] == true }
                try hurt(started.hardware, started.box)
            }
            let begin = SystemClock.monotonic()
            var (named, looks) = (staged.map { _ in ("", "") }, staged.map { _ in 0 })
            while looks.contains(where: { $0 < 3 }), SystemClock.monotonic() - begin < patience {
                SystemClock.sleep(until: SystemClock.monotonic() + .seconds(1))
                guard SystemClock.monotonic() - begin >= settling else { continue }
                for (index, started) in boxes.enumerated() where looks[index] < 3 {
                    let answer = try started.box.answer("diagnose")
                    let link = answer["blamed"]?.string ?? answer["errorString"]?.string ?? "nothing"
                    looks[index] = link == named[index].0 ? looks[index] + 1 : 1
                    named[index] = (link, answer["sentence"]?.string ?? "")
                }
            }
            for (one, started) in zip(staged, boxes) {
                started.hardware.screen.change { $0.refusedCommits = 0 }
                started.hardware.device.mode.set(.works)
                #expect(started.box.end() == .ok, "\(one.name)")
                SmallDisk.unmount(at: started.box.directory + ".full")
                DurableFile.removeDirectory(started.box.directory + ".full")
            }
            return staged.indices.map {
                Outcome(
                    name: staged[$0].name, expected: staged[$0].link?.rawValue ?? "nothing", named: named[$0].0,
                    sentence: named[$0].1)
            }
        }

        /// A hundred times, while the box plays.
        @Test func aHealthyBoxIsBlamedForNothing() throws {
            let blamed = try OwnNetwork.run { () throws -> [String] in
                let venue = try StagedVenue()
                defer { venue.stop() }
                let machine = try StagedMachine()
                defer { machine.remove() }
                let boxes = try StagedBox.healthy.map { try $0.start(in: venue, on: machine.root).box }
                for box in boxes.dropLast() {
                    _ = try box.await("status", within: .seconds(30)) { $0["isPlaying"] == true }
                }
                var blamed: [String] = []
                let pause = EventPause()
                for number in 0..<100 {
                    for (one, box) in zip(StagedBox.healthy, boxes) {
                        let answer = try box.answer("diagnose")
                        if answer["blamed"] != .null { blamed.append("\(one.name), \(number): \(answer.text())") }
                    }
                    pause.wait()
                }
                blamed += try Self.unseen(by: boxes[0])
                for box in boxes { #expect(box.end() == .ok) }
                return blamed
            }
            #expect(blamed.isEmpty, "\(blamed.prefix(3))")
        }

        /// A box that knows nothing would blame nothing as well.
        /// - Returns: the links that are not known to be fine, of a box with screen and sound.
        private static func unseen(by box: RunningBox) throws -> [String] {
            let rows = try box.answer("diagnose")["links"]?.array ?? []
            let unseen = rows.filter { $0["state"] != "fine" && $0["link"] != "association" }.map { $0.text() }
            // What people see: no line is wider than a terminal, and the sentence ends it.
            let lines = box.client("diagnose").output.split(separator: "\n", omittingEmptySubsequences: false)
            let wide = lines.filter { $0.count > 80 }.map(String.init)
            let hasSentence = lines.contains { $0.hasPrefix("No link is broken: One (239.255.77.31:21600)") }
            return unseen + wide + (hasSentence ? [] : ["no sentence: \(lines.joined(separator: "\n"))"])
        }
    }
}
