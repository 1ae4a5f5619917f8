// SPDX-License-Identifier: Apache-2.0
import PacketCaptures
import System
import TestSupport
import Testing
import Time
import Venue

@testable import Network

/// Where the kernel is an emulator's of user space, as qemu-aarch64, packet sockets have no options.
@Suite(.serialized, .enabled(if: OwnNetwork.canBeMade && !Effort.isEmulated)) struct PacketSocketTests {
    /// The kernel checks each program before it takes it.
    @Test func theKernelTakesEveryFilter() throws {
        try OwnNetwork.run {
            try #require(OwnNetwork.shell("ip link set lo up"))
            for address in [nil, "239.1.2.3", "ff3e::8000:1"] as [String?] {
                for port in [nil, 5_004] as [UInt16?] {
                    for kind in [nil, .igmp, .arp] as [CaptureFilter.Kind?] {
                        let filter = CaptureFilter(
                            address: address.flatMap { NumericAddress($0) }, port: port, kind: kind)
                        guard filter.problem == nil else { continue }
                        _ = try PacketSocket(on: "lo", filter.program(snap: 65_535)).rawValue
                    }
                }
            }
        }
    }

    /// A frame that loops back is sent and heard; it is kept once, cut at the snap length, with the length that it had.
    @Test func framesAreCutAndCountedOnce() throws {
        try OwnNetwork.run {
            try #require(OwnNetwork.shell("ip link set lo up"))
            let peer = DatagramPeer(NumericAddress(v4: 0x7f00_0001), port: 5_004)
            let listener = try StampedSocket(boundTo: peer)
            let packets = try PacketSocket(on: "lo", CaptureFilter(port: 5_004).program(snap: 64))
            let sender = try StampedSocket(connectedTo: peer)
            let before = SystemClock.wall()
            for _ in 0..<3 { try sender.send([UInt8](repeating: 7, count: 500), isStamped: false) }
            let other = try StampedSocket(connectedTo: DatagramPeer(peer.address, port: 5_005))
            try other.send([1], isStamped: false)
            var buffer = [UInt8](repeating: 0, count: 128)
            var frames: [PacketSocket.Frame] = []
            let wait = try DescriptorWait()
            while wait.wait(for: [packets.rawValue], until: SystemClock.monotonic() + .milliseconds(300)) {
                while let frame = try packets.receive(into: &buffer) { frames.append(frame) }
            }
            let after = SystemClock.wall()
            #expect(frames.map(\.octets) == [64, 64, 64] && frames.map(\.length) == [542, 542, 542])
            #expect(frames.allSatisfy { $0.time >= before && $0.time <= after })
            #expect(Array(buffer[12..<14]) == [0x08, 0x00] && buffer[42..<64].allSatisfy { $0 == 7 })
            #expect(packets.takeDrops() == 0)
            _ = listener.rawValue
        }
    }

    /// Nobody takes them: the kernel says how many are gone.
    @Test func dropsAreCounted() throws {
        try OwnNetwork.run {
            try #require(OwnNetwork.shell("ip link set lo up"))
            let packets = try PacketSocket(on: "lo", CaptureFilter(port: 5_004).program(snap: 64))
            let sender = try StampedSocket(
                connectedTo: DatagramPeer(NumericAddress(v4: 0x7f00_0001), port: 5_004))
            // A frame that is refused is told to the next one that is sent.
            for _ in 0..<60_000 { _ = try? sender.send([UInt8](repeating: 7, count: 1_400), isStamped: false) }
            let drops = packets.takeDrops()
            #expect(drops > 0)
            #expect(packets.takeDrops() == 0, "each is told once")
        }
    }
}
