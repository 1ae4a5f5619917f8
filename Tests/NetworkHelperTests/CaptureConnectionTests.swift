// SPDX-License-Identifier: Apache-2.0
import JSON
import Network
import NetworkPlan
import PacketCaptures
import System
import TestSupport
import Testing
import Time
import Venue

@testable import NetworkHelper

/// The helper that opens packet sockets, by its socket.
@Suite(.serialized) struct CaptureConnectionTests {
    private struct Reply: ~Copyable {
        let text: String
        var passed: FileDescriptor?
    }

    /// Sends a line to a helper that answers the user of this process, and returns what comes back.
    private static func ask(_ line: [UInt8], only user: UInt32? = SystemUser.own) throws -> Reply {
        let path = "/tmp/touchline-capture-\(UInt32.random(in: 0 ... .max)).sock"
        let listener = try UnixListener(listeningAt: path, group: "")
        let socket = try UnixSocket.make(isBlocking: true)
        try UnixSocket.connect(socket.rawValue, to: path)
        _ = try UnixSocket.send(socket.rawValue, (line + [0x0a])[...])
        let connection = try #require(try Self.accept(listener))
        try HelperConnection.serveCapture(connection.rawValue, only: user)
        var reply = Reply(text: "", passed: nil)
        var piece = [UInt8](repeating: 0, count: 4_096)
        let count = try UnixSocket.receive(socket.rawValue, into: &piece, passed: &reply.passed) ?? 0
        let text = String(decoding: piece[..<count], as: UTF8.self)
        return Reply(text: text, passed: reply.passed.take())
    }

    /// Boxed, because `#require` copies.
    private final class Connection {
        let rawValue: CInt
        private let descriptor: FileDescriptor
        init(_ descriptor: consuming FileDescriptor) {
            rawValue = descriptor.rawValue
            self.descriptor = descriptor
        }
    }

    private static func accept(_ listener: borrowing UnixListener) throws -> Connection? {
        guard let descriptor = try listener.accept() else { return nil }
        return Connection(descriptor)
    }

    @Test(.enabled(if: OwnNetwork.canBeMade)) func aSocketIsPassedWithItsFilterInForce() throws {
        try OwnNetwork.run {
            try #require(OwnNetwork.shell("ip link set lo up"))
            let name = try #require(InterfaceName("lo"))
            let request = CaptureRequest(interface: name, filter: CaptureFilter(port: 5_004), snap: 64)
            var reply = try Self.ask(request.octets)
            #expect(reply.text == "{\"code\":0,\"errorString\":\"\",\"isOk\":true}\n", "\(reply.text)")
            guard let descriptor = reply.passed.take() else {
                Issue.record("no socket came")
                return
            }
            let packets = PacketSocket(adopting: descriptor)
            for port in [5_004, 5_005] as [UInt16] {
                let peer = DatagramPeer(NumericAddress(v4: 0x7f00_0001), port: port)
                let sender = try StampedSocket(connectedTo: peer)
                try sender.send([UInt8](repeating: 7, count: 100), isStamped: false)
            }
            var buffer = [UInt8](repeating: 0, count: 64)
            var lengths: [Int] = []
            let wait = try DescriptorWait()
            while wait.wait(for: [packets.rawValue], until: SystemClock.monotonic() + .milliseconds(300)) {
                while let frame = try packets.receive(into: &buffer) { lengths.append(frame.length) }
            }
            #expect(lengths == [142])
        }
    }

    @Test(arguments: [
        ("", "the request is no JSON: 1:1"), (#"{"interface":"lo"}"#, "snap is missing; expected 64...65535"),
        (#"{"verb":"apply","plan":{}}"#, #""plan" is no member; expected interface, snap, address, port, kind"#),
        (#"{"interface":"nowhere0","snap":64}"#, nil),
    ])
    func whatIsNoRequestIsRefusedInALine(line: String, expected: String?) throws {
        let reply = try Self.ask(Array(line.utf8))
        let hasSocket = reply.passed != nil
        let lines = reply.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(!hasSocket && lines.count == 2 && lines.last == "")
        let answer = try JSONValue.parse(Array(reply.text.utf8.dropLast()))
        #expect(answer["isOk"] == false)
        let told = answer["errorString"]?.string ?? ""
        // Whoever may not open one is told that instead.
        let why =
            expected ?? (told.contains("socket packet") ? "socket packet" : "bind packet nowhere0: No such device")
        #expect(told == why || expected == nil && told.hasPrefix(why), "\(told)")
    }

    @Test func noiseIsRefusedInALine() throws {
        var random = SplitMix64(seed: 23)
        for count in [1, 100, 1_000, 3_000] {
            let noise = (0..<count).map { _ in UInt8.random(in: 11...255, using: &random) }
            let reply = try Self.ask(noise)
            let hasSocket = reply.passed != nil
            #expect(!hasSocket && reply.text.hasSuffix("\n") && reply.text.split(separator: "\n").count == 1)
        }
    }

    @Test func othersAreNotAnswered() {
        #expect(throws: Status.self) { try Self.ask([], only: SystemUser.own + 1).text }
        #expect(throws: Status.self) { try Self.ask([], only: nil).text }
    }
}
