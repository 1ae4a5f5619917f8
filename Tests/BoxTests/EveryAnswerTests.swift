// SPDX-License-Identifier: Apache-2.0
import Commands
import ControlClient
import ControlMessages
import JSON
import Shapes
import TestSupport
import Testing
import Time
import Venue

@testable import Box

extension BoxTests {
    /// Every command of the catalogue is given on a box that plays, by the socket and by HTTP, and both answers have the
    /// form that its description, and with it the OpenAPI document, promises.
    @Suite(.serialized, .enabled(if: Groups.canBeJoined)) struct EveryAnswerTests {
        private struct Row {
            let name: String
            let arguments: JSONValue

            init(_ name: String, _ arguments: JSONValue = [:]) {
                self.name = name
                self.arguments = arguments
            }
        }

        /// The commands that need something which not every box has, in an order in which each has it. The others have
        /// an example in the catalogue, and come first.
        private static let rows = [
            Row("tune", ["channel": "One"]), Row("position"), Row("streams"), Row("program", ["program": "default"]),
            Row("rewind", ["ms": 200]), Row("seek-relative", ["ms": -100]), Row("live"), Row("events"),
            Row("events", ["since": 1]), Row("osd", ["item": "stats", "state": "on"]),
            Row("ticker", ["text": "Goal", "position": "top"]), Row("message", ["text": "Hello"]),
            Row("strategy", ["name": "sponsors", "state": "on"]),
            Row("strategy", ["name": "sponsors", "state": "off"]),
            Row("region", ["name": "extra", "x": 0, "y": 0, "width": 100, "height": 100]),
            Row("region-remove", ["name": "extra"]), Row("gallery", ["channels": "One,Two"]),
            Row("move", ["from": "main", "to": "tile2"]), Row("layout-keep", ["name": "kept"]),
            Row("epg", ["channel": "One"]), Row("channels", ["hidden": true]), Row("stats", ["describe": true]),
            Row("layout", ["name": "full"]), Row("channel-up"), Row("channel-down"),
            Row("playlist", ["name": "Evening"]), Row("play"), Row("next"), Row("play"),
            Row("seek-absolute", ["ms": 0]),
            Row("config", ["path": "sound.volume"]), Row("config-set", ["path": "box.name", "value": "A"]),
            Row("config-reset", ["path": "box.name"]), Row("config-merge", ["settings": ["box": ["name": "B"]]]),
            Row("config-check", ["settings": ["box": ["name": "C"]], "merge": true]),
            Row("config-set", ["path": "box.name", "value": "D", "confirmWithinS": 3_600]), Row("config-rollback"),
            Row("config-set", ["path": "box.name", "value": "E", "confirmWithinS": 3_600]), Row("config-confirm"),
            Row("restart-in", ["minutes": 60]), Row("restart-in"), Row("restart-cancel"),
            Row("token-create", ["name": "t", "role": "viewer"]), Row("token-revoke", ["name": "t"]), Row("claim-open"),
            Row("list", ["action": "down"]), Row("list", ["action": "hide"]), Row("digit", ["key": "cancel"]),
            Row("incident-record", ["note": "all is well"]), Row("access-reset"),
        ]

        /// What needs a group or a television of DVB-CSS, a key, a kernel that lets echo requests out, or a right to packet
        /// sockets: the tests of the feature have them, and compare the form.
        private static let needOthers = [
            "capture-read", "capture-start", "claim", "incident-read", "incident-remove", "ping", "probe", "push",
            "sync-cii",
            "sync-find", "sync-group-move",
        ]

        /// What ends the box; `shutdown` comes last.
        private static let ends = ["shutdown", "restart"]

        /// A failure has the form of a status, whatever the command; with the code that HTTP has for it.
        private static let failures = [
            (Row("tune", ["channel": "Nowhere"]), 409), (Row("tune"), 400),
            (Row("config-check", ["settings": ["nothing": 1]]), 422),
            (Row("config-merge", ["settings": ["playback": ["historyMs": 1_000, "playoutDelayMs": 9_000]]]), 422),
        ]

        private static func rowsOfExamples() throws -> [Row] {
            try Box.catalogue.commands.filter { !$0.isLocal }.compactMap { command in
                guard let example = command.example else { return nil }
                let words = [command.name] + example.split(separator: " ").map(String.init)
                guard case .request(let request) = try Invocation(words, in: Box.catalogue).action else {
                    throw Status.failure(.usage, "\(words) is no request")
                }
                return Row(command.name, request.arguments)
            }
        }

        private func ask(_ box: RunningBox, _ row: Row) throws -> (status: Status, result: JSONValue) {
            var client = try ControlClient(connectingTo: box.socket)
            try client.wait(atMost: .seconds(20))
            try client.send(ControlRequest(id: 1, command: row.name, arguments: row.arguments))
            guard case .answer(let status, let result) = try client.next() else {
                throw Status.failure(.failed, "no answer to \(row.name)")
            }
            return (status, result)
        }

        /// The answer by HTTP, or else by the socket.
        private func answer(_ box: RunningBox, _ row: Row, isHTTP: Bool) throws -> JSONValue? {
            if isHTTP {
                let (code, body) = try box.http("POST", "/v1/\(row.name)", row.arguments)
                #expect(code == 200, "\(row.name): \(body.text().prefix(300))")
                return code == 200 ? body : nil
            }
            let (status, result) = try ask(box, row)
            #expect(status.isOk, "\(row.name): \(status.errorString)")
            return status.isOk ? result : nil
        }

        private func expectForm(_ box: RunningBox, _ row: Row, isHTTP: Bool) throws {
            if ["position", "rewind", "live", "seek-absolute"].contains(row.name) {
                _ = try box.await("status", within: .seconds(20)) { $0["isPlaying"] == true }
            }
            guard let answer = try answer(box, row, isHTTP: isHTTP) else { return }
            let problems = try Box.catalogue.command(named: row.name).answer.kind.problems(of: answer)
            #expect(problems.isEmpty, "\(row.name), HTTP: \(isHTTP): \(problems.map(\.description))")
        }

        @Test func eachHasTheFormThatIsPromised() throws {
            let venue = try SettingsVenue(2)
            defer { venue.stop() }
            // HTTP may not name the file of sound.
            let settings = venue.settings.merging(patch: ["sound": .null])
            let rows = try Self.rowsOfExamples() + Self.rows + [Row("config-replace", ["settings": settings])]
            let names = Box.catalogue.commands.filter { !$0.isLocal && !Self.ends.contains($0.name) }.map(\.name)
            let asked = Set(rows.map(\.name) + Self.needOthers)
            #expect(asked == Set(names), "a command is not asked, or one is that does not exist")
            let box = try RunningBox(settings)
            _ = try box.await("channels", within: .seconds(20)) { ($0["channels"]?.array?.count ?? 0) > 3 }
            for isHTTP in [true, false] {
                for row in rows where !isHTTP || Box.catalogue[row.name]?.admission != .atBox {
                    try expectForm(box, row, isHTTP: isHTTP)
                }
            }
            for (row, expected) in Self.failures {
                let (code, body) = try box.http("POST", "/v1/\(row.name)", row.arguments)
                #expect(code == expected && body["isOk"] == false && body["errorString"]?.string?.isEmpty == false)
                let status = try ask(box, row).status
                #expect(!status.isOk && JSONValue.string(status.errorString) == body["errorString"])
            }
            try expectForm(box, Row("shutdown"), isHTTP: true)
            #expect(box.end() == .ok)
        }
    }
}
