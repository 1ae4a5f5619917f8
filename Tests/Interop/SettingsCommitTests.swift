// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// The service killed by strace at each system call with which a change of its settings changes a file.
    @Suite struct SettingsCommitTests {
        /// SVM-12, issue 18, show 3: it starts with the old settings or with the new ones, whole; with the new ones if the
        /// client was told so. It takes the next change, and leaves no temporary file.
        @Test(.enabled(if: Peer.strace.isThere)) func killedAtEachSystemCall() async throws {
            for commit in SettingsCommit.all {
                try await TestVenue.open { venue in
                    let run = try SettingsCommitRun(commit, in: venue)
                    try await run.prepare()
                    let (before, after, steps) = try await run.record()
                    // The installed file counts from the start on.
                    #expect((before == after) == (commit.change == nil))
                    #expect(steps.contains { $0.call == "rename" } && steps.contains { $0.call == "fsync" })
                    try await check(run, before, after, isAccepted: true, "\(commit.name): none")
                    var isNew = false
                    for (number, step) in steps.enumerated() {
                        let isAccepted = try await run.fail(at: step)
                        let name = step.path.replacingOccurrences(of: venue.directory.path + "/", with: "")
                        let label = "\(commit.name): \(number + 1) \(step.call) \(name)"
                        let found = try await check(run, before, after, isAccepted: isAccepted, label)
                        #expect(found || !isNew, "\(label): an earlier step had the new settings already")
                        isNew = found
                    }
                    #expect(isNew, "\(commit.name): the last step is before the change is in force")
                    try Peer.strace.log(test: #function, checks: steps.count)
                }
            }
        }

        /// Starts the service after it was killed.
        /// - Returns: whether it has the new settings.
        @discardableResult
        private func check(
            _ run: SettingsCommitRun, _ before: JSONValue, _ after: JSONValue, isAccepted: Bool, _ label: String
        ) async throws -> Bool {
            let (process, socket) = try await run.listening()
            let found = try run.settings(socket)
            #expect(found == after || found == before && !isAccepted, "\(label): \(found)")
            #expect(try run.temporaryFiles() == [], "\(label)")
            var next = found
            next["sound"]?["volume"] = 7
            _ = try socket.ask("config-set", ["path": "sound.volume", "value": 7])
            #expect(try run.settings(socket) == next, "\(label): the next change")
            try await run.kill(process)
            print("killed at \(label): \(found == after ? "new" : "old") settings")
            return found == after
        }
    }
}
