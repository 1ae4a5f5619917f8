// SPDX-License-Identifier: Apache-2.0
import CommandLineClient
import Commands
import ControlClient
import ControlMessages
import HTTP
import JSON
import Testing

@testable import Control

/// `data follow` by both doors (SVM-47).
struct DataFollowingTests {
    private let api = HTTPAPI(role: .viewer, catalogue: CommandLineClient.catalogue)

    private func request(_ path: String, _ query: String = "") -> HTTPRequest {
        HTTPRequest(.get, path, query: query.isEmpty ? [] : [Array(query.utf8)], host: "localhost:8080")
    }

    @Test func goesOnOverTheSocketUntilTheCallerLeaves() throws {
        let box = try ServedBox()
        defer { box.stop() }
        var client = try ControlClient(connectingTo: box.path)
        try client.wait(atMost: .seconds(10))
        let arguments: JSONValue = ["action": "follow", "channel": "Scores"]
        try client.send(ControlRequest(id: 1, command: "data", arguments: arguments))
        #expect(try client.next() == .answer(.ok, result: ["channel": "Scores"]))
        for number in 1...3 {
            box.append(1)
            #expect(try client.next() == .message(["followers": 1, "number": .integer(Int64(number))]))
        }
        try client.send(ControlRequest(id: 2, command: "data", arguments: arguments))
        #expect(try client.next() == .answer(ControlSession.followsAlready, result: .null))
        try client.send(ControlRequest(id: 3, command: "events", arguments: ["follow": true]))
        #expect(try client.next() == .answer(ControlSession.followsAlready, result: .null))
        // Another one comes and goes; then the first is alone again.
        do {
            var second = try ControlClient(connectingTo: box.path)
            try second.wait(atMost: .seconds(10))
            try second.send(ControlRequest(id: 1, command: "data", arguments: arguments))
            #expect(try second.next() == .answer(.ok, result: ["channel": "Scores"]))
            box.append(1)
            #expect(try second.next() == .message(["followers": 2, "number": 4]))
            #expect(try client.next() == .message(["followers": 2, "number": 4]))
        }
        var reply: ControlReply?
        repeat {
            box.append(1)
            reply = try client.next()
            guard case .message(let message) = reply, message["followers"] != 1 else { break }
        } while true
        guard case .message(let message) = reply else {
            Issue.record("\(String(describing: reply))")
            return
        }
        #expect(message["followers"] == 1)
    }

    @Test func aChannelIsNeeded() throws {
        let box = try ServedBox()
        defer { box.stop() }
        var client = try ControlClient(connectingTo: box.path)
        try client.wait(atMost: .seconds(10))
        try client.send(ControlRequest(id: 1, command: "data", arguments: ["action": "follow"]))
        guard case .answer(let status, _) = try client.next() else {
            Issue.record("no answer")
            return
        }
        #expect(status.errorString == "data: channel is missing; expected a name or an id to follow")
    }

    @Test func overHTTPItIsAWebSocket() throws {
        #expect(api.refusal(ofFollower: request("/v1/data", "channel=Scores"), openCount: 0) == nil)
        #expect(api.following(request("/v1/data", "channel=Scores")) == .data(channel: "Scores"))
        #expect(api.following(request("/v1/events", "since=4")) == .events(EventPlace(since: 4)))
        #expect(api.refusal(ofFollower: request("/v1/data"), openCount: 0)?.code == 400)
        #expect(api.refusal(ofFollower: request("/v1/data", "channel="), openCount: 0)?.code == 400)
        #expect(api.refusal(ofFollower: request("/v1/stats"), openCount: 0)?.code == 404)
        guard case .respond(let response) = api.action(for: request("/v1/data", "action=follow")) else {
            Issue.record("taken as a command")
            return
        }
        #expect(response.code == 400)
        guard case .command(let list, _, _) = api.action(for: request("/v1/data", "channel=Scores")) else {
            Issue.record("not taken as a command")
            return
        }
        #expect(list.text("channel") == "Scores" && !list.asksForStream)
    }

    @Test func theCommandLineSaysFollow() throws {
        let line = try Invocation(["data", "follow", "Scores", "--json"], in: CommandLineClient.catalogue)
        guard case .request(let request) = line.action else {
            Issue.record("no request")
            return
        }
        #expect(request.asksForStream && request.text("channel") == "Scores")
        guard
            case .request(let list) = try Invocation(["data", "list", "Scores"], in: CommandLineClient.catalogue).action
        else {
            Issue.record("no request")
            return
        }
        #expect(
            try Invocation(["data"], in: CommandLineClient.catalogue).action
                == .request(CommandRequest(command: "data", in: CommandLineClient.catalogue)))
        #expect(!list.asksForStream && list.text("channel") == "Scores")
    }
}
