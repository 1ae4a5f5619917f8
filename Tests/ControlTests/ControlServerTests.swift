// SPDX-License-Identifier: Apache-2.0
import Commands
import ControlClient
import ControlMessages
import Foundation
import JSON
import System
import Testing
import Time
import Venue

@testable import Control

/// The real socket, both ends.
struct ControlServerTests {
    func answer(_ client: inout ControlClient) throws -> JSONValue {
        guard case .answer(let status, let result)? = try client.next() else { return "no answer" }
        return status.isOk ? result : .string(status.errorString)
    }

    @Test func roundTrip() throws {
        let box = try ServedBox()
        defer { box.stop() }
        var client = try ControlClient(connectingTo: box.path)
        try client.wait(atMost: .seconds(10))
        try client.send(ControlRequest(id: 1, command: "tune", arguments: ["channel": "One"]))
        #expect(try answer(&client) == ["channel": "One"])
        try client.send(ControlRequest(id: 2, command: "tune", arguments: ["channel": "Nine"]))
        #expect(try answer(&client) == "no channel 'Nine'; see channels")
        // A late answer does not hold up those behind it.
        try client.send(ControlRequest(id: 3, command: "status"))
        try client.send(ControlRequest(id: 4, command: "stop"))
        #expect(try answer(&client) == [:])
        #expect(try answer(&client) == ["boxName": "stand-in"])
        try client.send(ControlRequest(id: 5, command: "events"))
        #expect(try answer(&client)["next"] == 2)
    }

    /// A key is of one request; what only looks may come with any key, and as often as it wants.
    @Test func keysOfRequests() throws {
        let box = try ServedBox()
        defer { box.stop() }
        var client = try ControlClient(connectingTo: box.path)
        try client.wait(atMost: .seconds(10))
        let tune = { ControlRequest(id: $0, command: "tune", arguments: ["channel": .string($1)], key: "k") }
        for id in Int64(1)...2 {
            try client.send(tune(id, "One"))
            #expect(try answer(&client) == ["channel": "One"])
        }
        try client.send(tune(3, "Two"))
        #expect(try answer(&client) == "the key was that of another request; expected a new one for each")
        try client.send(ControlRequest(id: 4, command: "channels", key: "k"))
        #expect(try answer(&client)["channels"]?.array?.count == 2)
        try client.send(ControlRequest(id: 5, command: "stop", key: "a b"))
        #expect(try answer(&client) == "key: expected 1...128 visible characters of ASCII")
    }

    @Test func socketIsForOwnerAndGroupAndGoesWithTheServer() throws {
        let box = try ServedBox()
        var status = stat()
        #expect(lstat(box.path, &status) == 0)
        #expect(status.st_mode == S_IFSOCK | 0o660)
        box.stop()
        #expect(lstat(box.path, &status) == -1)
    }

    /// SVM-01: one daemon for a box; the second leaves the first one's socket alone.
    @Test func secondServerIsRefused() throws {
        let box = try ServedBox()
        do {
            try ServedBox(path: box.path).stop()
            Issue.record("two servers on one path")
        } catch let error as UnixListenerError {
            #expect(error == .busy(path: box.path))
            #expect(error.status.code == .busy)
        }
        var client = try ControlClient(connectingTo: box.path)
        try client.send(ControlRequest(id: 1, command: "stop"))
        #expect(try answer(&client) == [:])
        box.stop()
        try ServedBox(path: box.path).stop()
    }

    @Test func staleSocketIsTakenOverAndAFileIsNot() throws {
        let path = ServedBox.freshPath()
        try DurableFile.makeDirectory(DurableFile.parent(of: path))
        do {
            let killed = try UnixSocket.make(isBlocking: true)
            try UnixSocket.bind(killed.rawValue, to: path)
        }
        try ServedBox(path: path).stop()
        try DurableFile.write([1], to: path)
        #expect(throws: UnixListenerError.notASocket(path: path)) { try ServedBox(path: path) }
        #expect(try DurableFile.read(path) == [1])
    }

    @Test func pathThatNoSocketCanHave() {
        let path = "/tmp/" + String(repeating: "x", count: 200)
        #expect(throws: UnixListenerError.self) { try ServedBox(path: path) }
        #expect(throws: ControlClientError.self) {
            let client = try ControlClient(connectingTo: path)
            try client.wait(atMost: nil)
        }
    }

    @Test func followersAreFed() throws {
        let box = try ServedBox()
        defer { box.stop() }
        var client = try ControlClient(connectingTo: box.path)
        try client.wait(atMost: .seconds(10))
        try client.send(ControlRequest(id: 1, command: "events", arguments: ["follow": true]))
        #expect(try answer(&client)["next"] == 2)
        guard case .event(let first)? = try client.next() else { throw ControlClientError.closed(box.path) }
        #expect(first["sequence"] == 1)
        box.append(3)
        for sequence in 2...4 as ClosedRange<Int64> {
            guard case .event(let event)? = try client.next() else { throw ControlClientError.closed(box.path) }
            #expect(event["sequence"] == .integer(sequence))
        }
    }

    /// Neither the box nor other callers wait for one that does not read.
    @Test func slowFollowerHoldsUpNobody() throws {
        let box = try ServedBox()
        defer { box.stop() }
        var slow = try ControlClient(connectingTo: box.path)
        try slow.wait(atMost: .seconds(10))
        try slow.send(ControlRequest(id: 1, command: "events", arguments: ["follow": true]))
        #expect(try answer(&slow)["next"] == 2)
        box.append(20_000)
        var other = try ControlClient(connectingTo: box.path)
        try other.wait(atMost: .seconds(10))
        var last: Int64 = 0
        while last < 20_001 {  // until the box has appended all of them
            try other.send(ControlRequest(id: 2, command: "events", arguments: ["since": 20_000]))
            last = (try answer(&other)["next"]?.integer ?? 1) - 1
        }
        var next: Int64 = 1
        var lost: UInt64 = 0
        while next <= 20_001 {
            switch try slow.next() {
            case .event(let event):
                #expect(event["sequence"] == .integer(next))
                next += 1
            case .dropped(let count):
                lost += count
                next += Int64(count)
            default: throw ControlClientError.closed(box.path)
            }
        }
        #expect(lost > 1_000)
    }

    @Test func callersThatVanishLeaveNothingBehind() throws {
        let box = try ServedBox()
        defer { box.stop() }
        for _ in 0..<100 {
            let client = try ControlClient(connectingTo: box.path)
            try client.send(ControlRequest(id: 1, command: "status"))
        }
        var client = try ControlClient(connectingTo: box.path)
        try client.wait(atMost: .seconds(10))
        // Served in order of connection, so all before it are known to be gone when it is answered.
        try client.send(ControlRequest(id: 1, command: "status"))
        #expect(try answer(&client) == ["boxName": "stand-in"])
        // The one that listens and the server's end of the caller who is left.
        var rest = try Self.sockets(at: box.path)
        for _ in 0..<500 where rest > 2 {
            usleep(10_000)
            rest = try Self.sockets(at: box.path)
        }
        #expect(rest == 2)
    }

    /// proc(5): each line of the table ends with the path that a socket is bound to.
    private static func sockets(at path: String) throws -> Int {
        try String(contentsOfFile: "/proc/net/unix", encoding: .utf8).split(separator: "\n").count {
            $0.hasSuffix(" " + path)
        }
    }

    @Test func tooManyCallersAreTold() throws {
        let box = try ServedBox()
        defer { box.stop() }
        let sockets = try (0..<32).map { _ in try Held(box.path) }
        var late = try ControlClient(connectingTo: box.path)
        try late.wait(atMost: .seconds(10))
        #expect(try answer(&late) == "32 callers are served already")
        #expect(try late.next() == nil)
        #expect(sockets.count == 32)
    }

    final class Held {
        let client: ControlClient
        init(_ path: String) throws { client = try ControlClient(connectingTo: path) }
    }
}
