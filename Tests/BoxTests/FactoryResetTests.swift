// SPDX-License-Identifier: Apache-2.0
import ControlClient
import ControlMessages
import JSON
import System
import TestSupport
import Testing
import Time
import Venue

@testable import Box

extension BoxTests {
    /// G-12: a whole box is as it was new, and is the same box.
    @Suite(.serialized) struct FactoryResetTests {
        private static func ask(
            _ box: RunningBox, _ name: String, _ arguments: JSONValue = [:]
        ) throws -> (status: Status, result: JSONValue) {
            var client = try ControlClient(connectingTo: box.socket)
            try client.wait(atMost: .seconds(20))
            try client.send(ControlRequest(id: 1, command: name, arguments: arguments))
            guard case .answer(let status, let result) = try client.next() else {
                throw Status.failure(.failed, "no answer to \(name)")
            }
            return (status, result)
        }

        @Test func aBoxComesUpBlankWithTheSameId() throws {
            let box = try RunningBox(["announcements": ["groups": []], "log": ["level": "error"]])
            let id = try box.await("status") { $0["boxId"] != nil }["boxId"]
            _ = try box.answer("config", "set", "box.name", "Changed")
            #expect(try Self.ask(box, "token-create", ["name": "t", "role": "administrator"]).status.isOk)
            let fingerprint = try box.answer("http", "status")["fingerprint"]
            let (refused, _) = try box.http("POST", "/v1/factory-reset")
            #expect(refused == 401, "it is given at the box alone")
            let code = try #require(try Self.ask(box, "factory-reset").result["confirmation"])
            #expect(!(try Self.ask(box, "factory-reset", ["confirm": "no"]).status.isOk))
            #expect(!(try Self.ask(box, "factory-reset", ["confirm": code]).status.isOk), "a wrong one ends the offer")
            #expect(try Self.ask(box, "config", ["path": "box.name"]).result["config"] == "Changed")

            let next = try #require(try Self.ask(box, "factory-reset").result["confirmation"])
            #expect(try Self.ask(box, "factory-reset", ["confirm": next]).status.isOk)
            #expect(box.end(isKept: true) == .ok)
            let again = try RunningBox(restarting: box)
            #expect(try again.await("status") { $0["boxId"] != nil }["boxId"] == id)
            #expect(try again.answer("config", "box.name")["config"] == "")
            #expect(try again.answer("config", "history")["revisions"]?.array?.count == 1, "the installed file alone")
            #expect(try Self.ask(again, "token-list").result["tokens"] == [])
            #expect(try again.answer("http", "status")["fingerprint"] == fingerprint)
            let events = try again.answer("events")["events"]?.array ?? []
            let told = events.first { $0["type"] == "service.factoryReset" }?["payload"]
            #expect(told?["why"] == nil && told?["removed"]?.array?.contains("settings") == true)
            #expect(again.end(isKept: true) == .ok)
            let third = try RunningBox(restarting: box)
            _ = try third.await("status") { $0["boxId"] == id }
            let later = try third.answer("events")["events"]?.array ?? []
            #expect(!later.contains { $0["type"] == "service.factoryReset" }, "it happens once")
            #expect(third.end() == .ok)
        }
    }
}
