// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// G-12: a factory reset that is cut off by `kill -9` at any change that it makes to the disk.
    @Suite(.enabled(if: Peer.strace.isThere)) struct FactoryResetTests {
        private struct Box {
            let id: JSONValue?
            /// The state directory after the order.
            let ordered: String
        }

        /// A box that somebody has used, and then ordered to be reset.
        private static func ordered(in venue: TestVenue) async throws -> Box {
            let state = venue.directory.file("ordered")
            let box = try await BoxProcess([:], state: state, in: venue)
            let socket = try ControlSocket(box.socket)
            let id = try socket.ask("status").result["boxId"]
            _ = try socket.ask("config-set", ["path": "box.name", "value": "Changed"])
            _ = try socket.ask("token-create", ["name": "t", "role": "administrator"])
            let code = try socket.ask("factory-reset").result["confirmation"] ?? .null
            _ = try socket.ask("factory-reset", ["confirm": code])
            #expect(try await box.process.exitCode(within: .seconds(10)) == 0)
            return Box(id: id, ordered: state)
        }

        private static func copy(_ box: Box, to name: String, in venue: TestVenue) throws -> String {
            let path = venue.directory.file(name)
            try FileManager.default.copyItem(atPath: box.ordered, toPath: path)
            return path
        }

        private static func expectBlank(_ box: Box, _ state: String, _ place: String, in venue: TestVenue) async throws
        {
            let next = try await BoxProcess([:], state: state, in: venue)
            let socket = try ControlSocket(next.socket)
            #expect(try socket.ask("status").result["boxId"] == box.id, "\(place)")
            #expect(try socket.ask("config", ["path": "box.name"]).result["config"] == "Interop", "\(place)")
            #expect(try socket.ask("token-list").result["tokens"] == [], "\(place)")
            #expect(!FileManager.default.fileExists(atPath: state + "/factory-reset"), "\(place)")
            next.process.signal(SIGTERM)
            _ = try await next.process.exitCode(within: .seconds(10))
        }

        @Test func killedAtEachChangeTheNextStartIsBlank() async throws {
            try await TestVenue.open { venue in
                let box = try await Self.ordered(in: venue)
                let recorded = try Self.copy(box, to: "recorded", in: venue)
                let trace = venue.directory.file("trace")
                let whole = try await BoxProcess(
                    [:], state: recorded, through: FileChange.recording(to: trace), in: venue)
                whole.process.signal(SIGTERM)
                _ = try await whole.process.exitCode(within: .seconds(10))
                var changes = FileChange.changes(
                    in: try String(contentsOfFile: trace, encoding: .utf8), below: recorded)
                let last = try #require(
                    changes.firstIndex { $0.call == "unlink" && $0.path == recorded + "/factory-reset" })
                changes = changes[...last].filter { ["unlink", "rmdir"].contains($0.call) }
                #expect(changes.count > 6)
                for (number, change) in changes.enumerated() {
                    let state = try Self.copy(box, to: "state\(number)", in: venue)
                    let place = FileChange(
                        call: change.call, path: state + change.path.dropFirst(recorded.count),
                        occurrence: change.occurrence)
                    let killed = try venue.start(
                        place.killing(trace: venue.directory.file("trace\(number)")) + [
                            try Programs.path("touchlined"), "--state", state, "--socket",
                            venue.directory.file("k\(number)"), "--config", venue.directory.file("none"),
                        ], name: "killed\(number)")
                    #expect(
                        try await killed.exitCode(within: .seconds(20)) == -SIGKILL, "\(place): \(killed.messages)")
                    try await Self.expectBlank(box, state, "\(change.call) \(change.path)", in: venue)
                }
                print("factory reset: killed at each of \(changes.count) removals")
                try Peer.strace.log(test: #function, checks: changes.count)
            }
        }
    }
}
