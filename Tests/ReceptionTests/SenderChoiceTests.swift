// SPDX-License-Identifier: Apache-2.0
import Bytes
import Network
import RTP
import Testing
import Time
import Venue

@testable import Reception

/// Two senders on one group and port (`streams.md` 13).
@Suite struct SenderChoiceTests {
    private static let one = DatagramPeer(NumericAddress(v4: 0x0A00_0001), port: 5_000)
    private static let two = DatagramPeer(NumericAddress(v4: 0x0A00_0002), port: 5_000)
    private static let three = DatagramPeer(NumericAddress(v4: 0x0A00_0001), port: 5_001)
    private var choice = SenderChoice()

    private static func packet(_ sequence: UInt16, _ timestamp: UInt32, ssrc: UInt32 = 7) -> [UInt8] {
        var out = WireWriter()
        RTPHeader.write(payloadType: 33, sequence: sequence, timestamp: timestamp, ssrc: ssrc, to: &out)
        return out.bytes + [UInt8](repeating: 0x47, count: 188)
    }

    private mutating func admits(_ peer: DatagramPeer, _ datagram: [UInt8]? = nil, at milliseconds: Int64) -> Bool {
        let bytes = datagram ?? [UInt8](repeating: 0x47, count: 188)
        return bytes.withUnsafeBytes {
            choice.admits(peer, $0, at: Monotonic(nanoseconds: milliseconds * 1_000_000))
        }
    }

    @Test mutating func theFirstIsPlayedUntilItStops() {
        for time in stride(from: Int64(0), to: 2_000, by: 10) {
            #expect(admits(Self.one, at: time))
            #expect(!admits(Self.two, at: time + 3) && !admits(Self.three, at: time + 6))
        }
        #expect(choice.refused == 400 && choice.conflict == SenderConflict(played: Self.one, other: Self.three))
        // The last of the first came at 1 990.
        #expect(!admits(Self.two, at: 2_000) && !admits(Self.two, at: 2_390) && admits(Self.two, at: 2_400))
        #expect(choice.conflict == nil && !admits(Self.one, at: 2_405))
        #expect(choice.conflict == SenderConflict(played: Self.two, other: Self.one))
    }

    /// When nothing came of either, the first goes on, whichever comes first behind it.
    @Test mutating func anInterruptionOfBothChangesNothing() {
        #expect(admits(Self.one, at: 0) && !admits(Self.two, at: 1))
        #expect(!admits(Self.two, at: 5_000) && admits(Self.one, at: 5_001) && !admits(Self.two, at: 5_399))
    }

    @Test mutating func aConflictThatIsOverIsNotTold() {
        #expect(admits(Self.one, at: 0) && !admits(Self.two, at: 1) && choice.conflict != nil)
        #expect(admits(Self.one, at: 4_000) && choice.conflict != nil)
        #expect(admits(Self.one, at: 6_000) && choice.conflict == nil)
    }

    /// The same packets by two senders are one stream, and repair each other.
    @Test mutating func twoSendersOfTheSamePackets() {
        for number in 0..<3_000 {
            let packet = Self.packet(UInt16(truncatingIfNeeded: 64_000 + number), UInt32(number) &* 900)
            #expect(admits(Self.one, packet, at: Int64(number)))
            if number >= 10 { #expect(admits(Self.two, packet, at: Int64(number))) }
        }
        // When the first has stopped, the second is the sender.
        for number in 3_000..<9_000 {
            let packet = Self.packet(UInt16(truncatingIfNeeded: 64_000 + number), UInt32(number) &* 900)
            #expect(admits(Self.two, packet, at: Int64(number)))
        }
        #expect(choice.refused == 0 && choice.conflict == nil)
    }

    /// Two encoders as they come: the same SSRC, and numbers and time stamps that began the same.
    @Test mutating func twoEncodersOfOneSSRC() {
        for number in 0..<2_000 {
            let (mine, theirs) = (Self.packet(UInt16(number + 600), UInt32(number + 600) * 750), UInt16(number))
            #expect(admits(Self.one, mine, at: Int64(number) * 8))
            guard number >= 100 else { continue }
            #expect(!admits(Self.two, Self.packet(theirs, UInt32(theirs) * 750 + 11), at: Int64(number) * 8 + 3))
        }
        #expect(choice.refused > 1_200 && choice.conflict == SenderConflict(played: Self.one, other: Self.two))
    }

    /// A sender whose address changes goes on at once.
    @Test mutating func itsAddressChanges() {
        for number in 0..<100 {
            let peer = number < 50 ? Self.one : Self.two
            #expect(admits(peer, Self.packet(UInt16(number), UInt32(number) * 750), at: Int64(number) * 8))
        }
        #expect(choice.refused == 0 && choice.conflict == nil)
    }

    /// A path that is ahead of the one that is played is known as soon as that has come as far.
    @Test mutating func aPathThatIsAhead() {
        var admitted = 0
        for number in 0..<2_000 {
            let packet = { (number: Int) in Self.packet(UInt16(number), UInt32(number) * 750) }
            #expect(admits(Self.one, packet(number), at: Int64(number) * 8))
            if number >= 10, admits(Self.two, packet(number + 100), at: Int64(number) * 8 + 3) { admitted += 1 }
        }
        #expect(admitted > 1_880 && choice.refused == 0 && choice.conflict == nil)
        // When it stops to send the same, it is another stream.
        for number in 2_000..<2_300 {
            #expect(admits(Self.one, Self.packet(UInt16(number), UInt32(number) * 750), at: Int64(number) * 8))
            _ = admits(Self.two, Self.packet(UInt16(number + 100), UInt32(number) * 750), at: Int64(number) * 8 + 3)
        }
        #expect(!admits(Self.two, Self.packet(2_400, 2_300 * 750), at: 18_400) && choice.conflict != nil)
    }

    /// The same SSRC with other packets is a second stream; another SSRC is the flow's to judge.
    @Test mutating func twoStreamsInRTP() {
        for number in 0..<100 {
            #expect(admits(Self.one, Self.packet(UInt16(number), UInt32(number) &* 900), at: Int64(number)))
        }
        #expect(!admits(Self.two, Self.packet(30_000, 99 * 900), at: 100))
        #expect(!admits(Self.two, Self.packet(100, 0x8000_0000), at: 100))
        #expect(!admits(Self.two, at: 100))
        #expect(admits(Self.two, Self.packet(30_000, 5, ssrc: 8), at: 100))
    }

    /// A datagram of packets that are cut may begin as RTP does.
    @Test mutating func whatLooksLikeRTPByChanceIsNone() {
        #expect(admits(Self.one, Self.packet(1, 1), at: 0) && admits(Self.one, at: 1))
        #expect(!admits(Self.two, Self.packet(2, 2, ssrc: 9), at: 2))
    }
}
