// SPDX-License-Identifier: Apache-2.0
import Foundation
import Hosting
import JSON
import Settings
import System
import TestSupport
import Testing

extension Interop {
    /// SVM-12, SVM-21: whenever the power fails, a box starts on a whole revision that was confirmed, and on none before
    /// one that was on the disk already.
    @Suite(.enabled(if: Peer.strace.isThere)) struct PowerCutTests {
        private static let rounds = Interop.isSoak ? 60 : 8
        private static let statesOfEachStep = Interop.isSoak ? 24 : 8

        /// Makes changes of each kind: confirmed at once, confirmed by hand, taken back.
        private func change(_ socket: ControlSocket, rounds: Int) throws {
            for round in 1...rounds {
                let tags: JSONValue = [.string("round \(round)"), .string(String(repeating: "x", count: 60))]
                _ = try socket.ask("config-set", ["path": "box.tags", "value": tags])
                for end in ["config-confirm", "config-rollback"] {
                    let settings: JSONValue = [
                        "box": ["name": .string("\(end) \(round)"), "tags": tags],
                        "output": ["height": .integer(Int64(300 + 2 * round + (end == "config-confirm" ? 0 : 1)))],
                    ]
                    _ = try socket.ask("config-merge", ["settings": settings, "confirmWithinS": 600])
                    _ = try socket.ask(end)
                }
            }
        }

        @Test func aBoxStartsOnAWholeRevision() async throws {
            try await TestVenue.open { venue in
                let log = try await DiskLog.recording(below: "/settings", in: venue) { socket in
                    try change(socket, rounds: Self.rounds)
                }
                #expect(log.steps.count >= 25 * Self.rounds, "\(log.steps.count)")
                let states = try cutPower(at: log, in: venue)
                print("power cuts: \(states) states of \(log.steps.count) steps")
                #expect(states >= 200 * Self.rounds)
                try Peer.strace.log(test: #function, checks: states)
            }
        }

        /// - Returns: the number of states of the disk from which a box was started.
        private func cutPower(at log: DiskLog, in venue: TestVenue) throws -> Int {
            var (disk, random, states) = (PowerCutDisk(), SplitMix64(seed: 12), 0)
            // The confirmed documents, by revision, and the newest of them that is certain to be on the disk.
            var (documents, certain): ([Int: JSONValue], Int) = ([0: [:]], 0)
            var renamed: Int?
            let folder = venue.directory.file("cut")
            let loop = try EventLoop()
            for step in log.steps {
                disk.perform(step)
                switch step {
                case .rename(_, to: let path):
                    guard let octets = disk.content(of: path), let file = try? JSONValue.parse(octets),
                        file["unconfirmed"] == nil, let number = file["revision"]?.integer
                    else { break }  // what is not confirmed may not be in force after a start
                    documents[Int(number)] = file["settings"] ?? .null
                    renamed = Int(number)
                case .flush(""):
                    if let renamed { certain = max(certain, renamed) }
                    renamed = nil
                default: break
                }
                let allowed = documents.filter { $0.key >= certain }.map(\.value)
                for files in disk.afterCut(Self.statesOfEachStep, &random) {
                    states += 1
                    try write(files, to: folder)
                    let first = try start(folder, loop)
                    #expect(allowed.contains(first), "\(step): \(first.text()), allowed from \(certain)")
                    #expect(try start(folder, loop) == first, "\(step): another start has other settings")
                }
            }
            return states
        }

        private func write(_ files: [String: [UInt8]], to folder: String) throws {
            if FileManager.default.fileExists(atPath: folder) { try FileManager.default.removeItem(atPath: folder) }
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for (name, octets) in files { try Data(octets).write(to: URL(fileURLWithPath: folder + name)) }
        }

        /// The written document with which a box starts from this directory.
        private func start(_ folder: String, _ loop: EventLoop) throws -> JSONValue {
            let revisions = try SettingsRevisions(directory: folder, loop: loop)
            let start = SettingsSources(image: "", imported: "", revisions: revisions).open {
                image, revision, earlier in
                try SettingsStore(
                    Settings.fields.map { SectionDescription($0) }, image: image, revision: revision, earlier: earlier,
                    archive: revisions)
            }
            revisions.removeUnpublished()
            if let made = start.made { try revisions.keep(made) }
            return start.store.written
        }
    }
}
