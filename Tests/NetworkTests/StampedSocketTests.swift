// SPDX-License-Identifier: Apache-2.0
import Glibc
import Network
import System
import TestSupport
import Testing
import Time
import Venue

@Suite struct StampedSocketTests {
    private static let four = NumericAddress(v4: 0x7f00_0001)
    private static let six = NumericAddress(v6: 0, 1)

    /// Waits for datagrams and takes them.
    private static func receive(from socket: StampedSocket, into batch: inout DatagramBatch) throws -> Int {
        let wait = try DescriptorWait()
        #expect(wait.wait(for: [socket.rawValue], until: SystemClock.monotonic() + .seconds(5)))
        return try socket.receive(into: &batch)
    }

    /// An emulated processor's system calls have no error queue, from which send stamps are read.
    @Test(.enabled(if: !Effort.isEmulated)) func bothWaysAreStamped() throws { try bothWaysAreStamped(Self.four) }

    @Test(.enabled(if: Loopback.hasIPv6 && !Effort.isEmulated)) func bothWaysAreStampedOfIPv6() throws {
        try bothWaysAreStamped(Self.six)
    }

    private func bothWaysAreStamped(_ address: NumericAddress) throws {
        let server = try StampedSocket(boundTo: DatagramPeer(address, port: 0))
        let own = try #require(server.ownPeer)
        #expect(own.address == address && own.port > 0)
        let client = try StampedSocket(connectedTo: own)
        var batch = DatagramBatch(slots: 4, octets: 64)
        for round in 0..<20 as Range<UInt32> {
            // What is not stamped is not counted.
            try client.send([1], isStamped: false)
            let before = SystemClock.monotonic()
            #expect(try client.send([2, 3], isStamped: true) == round)
            let sent = client.takeSendStamp()
            #expect(sent?.number == round)
            #expect(client.takeSendStamp() == nil)
            var (count, arrival) = (0, before)
            while count < 2 {
                let found = try Self.receive(from: server, into: &batch)
                count += found
                for index in 0..<found {
                    #expect(batch.peer(index).address == address)
                    arrival = batch.arrival(index)
                }
            }
            let after = SystemClock.monotonic()
            guard let left = sent?.instant else {
                Issue.record("a stamp that cannot be converted")
                continue
            }
            #expect(before <= left && left <= after)
            #expect(arrival <= after && arrival - left >= .microseconds(-50))
            try server.send([4], to: batch.peer(0), isStamped: true)
            #expect(try Self.receive(from: client, into: &batch) == 1)
            #expect(batch.peer(0) == own)
            #expect(server.takeSendStamp()?.number == round)
        }
    }

    /// A datagram that cannot be sent may have a number of the kernel or not.
    @Test(.enabled(if: !Effort.isEmulated)) func numbersAgreeAfterAFailure() throws {
        let server = try StampedSocket(boundTo: DatagramPeer(Self.four, port: 0))
        let client = try StampedSocket(connectedTo: try #require(server.ownPeer))
        try client.send([1], isStamped: true)
        #expect(throws: SystemCallError.self) {
            try client.send([UInt8](repeating: 0, count: 70_000), isStamped: true)
        }
        try client.restartSendStamps()
        for round in 0..<3 as Range<UInt32> {
            #expect(try client.send([2], isStamped: true) == round)
            #expect(client.takeSendStamp()?.number == round)
        }
    }

    @Test func anAddressHasOneSocket() throws {
        let first = try StampedSocket(boundTo: DatagramPeer(Self.four, port: 0))
        let own = try #require(first.ownPeer)
        let error = thrown(SystemCallError.self) { try StampedSocket(boundTo: own) }
        #expect(error?.code.rawValue == EADDRINUSE)
    }

    @Test func aConnectedSocketReceivesFromItsPeerOnly() throws {
        let server = try StampedSocket(boundTo: DatagramPeer(Self.four, port: 0))
        let stranger = try StampedSocket(boundTo: DatagramPeer(Self.four, port: 0))
        let client = try StampedSocket(connectedTo: try #require(server.ownPeer))
        let address = try #require(client.ownPeer)
        try stranger.send([1], to: address, isStamped: false)
        try server.send([2], to: address, isStamped: false)
        var batch = DatagramBatch(slots: 4, octets: 64)
        #expect(try Self.receive(from: client, into: &batch) == 1)
        #expect(batch.withBytes(0) { $0.first } == 2)
        #expect(try client.receive(into: &batch) == 0)
    }

    /// The kernel reports it with the next call, whichever that is.
    @Test func thatNobodyListensIsNoFailureOfReceiving() throws {
        let dead: DatagramPeer
        do {
            let server = try StampedSocket(boundTo: DatagramPeer(Self.four, port: 0))
            dead = try #require(server.ownPeer)
        }
        let client = try StampedSocket(connectedTo: dead)
        try client.send([1], isStamped: false)
        var batch = DatagramBatch(slots: 4, octets: 64)
        #expect(try Self.receive(from: client, into: &batch) == 0)
        try client.send([1], isStamped: false)
    }

    @Test func addressesAreTold() {
        #expect("\(DatagramPeer(Self.four, port: 6_677))" == "127.0.0.1:6677")
        let local = NumericAddress("fe80::1") ?? Self.six
        #expect("\(DatagramPeer(local, port: 1, interface: 3))" == "[fe80::1%3]:1")
    }
}
