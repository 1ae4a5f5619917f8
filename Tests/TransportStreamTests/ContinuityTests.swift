// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TransportStream

@Suite struct ContinuityTests {
    private enum Kind { case payload, nothing, jump }
    private typealias Script = [(counter: UInt8, content: UInt8, kind: Kind)]

    /// Packets of one PID whose payload is told by `content`.
    private func check(_ script: Script, pid: UInt16 = 0x100) throws
        -> [Continuity.Verdict]
    {
        var continuity = Continuity()
        return try script.map { counter, content, kind in
            let control: UInt8 = kind == .payload ? 0x10 : kind == .nothing ? 0x20 : 0x30
            let length: UInt8 = kind == .nothing ? 183 : 1
            let head =
                [0x47, UInt8(pid >> 8), UInt8(pid & 0xFF), control | counter]
                + (kind == .payload ? [] : [length, kind == .jump ? 0x80 : 0])
            let bytes = head + Array(repeating: content, count: TSPacket.size - head.count)
            return try bytes.withUnsafeBytes { continuity.check(try TSPacket($0), in: $0) }
        }
    }

    @Test func countsOnlyPayloads() throws {
        let verdicts = try check([(14, 1, .payload), (15, 2, .payload), (15, 0, .nothing), (0, 3, .payload)])
        #expect(verdicts == [.inOrder, .inOrder, .inOrder, .inOrder])
    }

    @Test func allowsOneDuplicate() throws {
        let verdicts = try check([(3, 1, .payload), (3, 1, .payload), (3, 1, .payload), (4, 2, .payload)])
        #expect(verdicts == [.inOrder, .duplicate, .gap, .inOrder])
    }

    /// Sixteen packets on, the counter is the same again: that is no repetition.
    @Test func doesNotTakeALossOfFifteenForADuplicate() throws {
        #expect(try check([(3, 1, .payload), (3, 2, .payload)]) == [.inOrder, .gap])
    }

    /// Another multiplexer's PAT names another PID in the middle, begins alike and ends in the same stuffing.
    @Test func takesNoTwoTablesForOne() throws {
        var continuity = Continuity()
        let verdicts = try [UInt8(0x10), 0x11, 0x11].map { octet in
            let start: [UInt8] = [0x47, 0x40, 0, 0x13, 0, 0, 0xB0, 13, 0, 1, 0xC1, 0, 0, 0, 1, 0xE0, octet]
            let bytes = start + Array(repeating: 0xFF, count: TSPacket.size - start.count)
            return try bytes.withUnsafeBytes { continuity.check(try TSPacket($0), in: $0) }
        }
        #expect(verdicts == [.inOrder, .gap, .duplicate])
    }

    @Test func seesAGapAlsoWithoutPayload() throws {
        let verdicts = try check([(3, 1, .payload), (5, 2, .payload), (8, 0, .nothing), (9, 3, .payload)])
        #expect(verdicts == [.inOrder, .gap, .gap, .inOrder])
    }

    /// What tsduck #256 and #266 call a common habit: a packet with a PCR alone is counted like the others.
    @Test func learnsThatPacketsWithoutPayloadAreCounted() throws {
        let round: Script = [(1, 1, .payload), (2, 0, .nothing), (3, 2, .payload), (4, 0, .nothing), (5, 3, .payload)]
        #expect(try check(round) == Array(repeating: .inOrder, count: 5))
        #expect(try check(round + [(7, 0, .nothing), (9, 4, .payload)]).suffix(2) == [.gap, .gap], "these are lost")
        // Where such a packet keeps the counter, one that raises it comes behind a loss.
        let kept: Script = [(1, 1, .payload), (1, 0, .nothing), (3, 0, .nothing), (4, 2, .payload)]
        #expect(try check(kept) == [.inOrder, .inOrder, .gap, .inOrder])
        let raised: Script = [(1, 1, .payload), (1, 0, .nothing), (2, 0, .nothing), (3, 2, .payload)]
        #expect(try check(raised) == [.inOrder, .inOrder, .gap, .inOrder])
        // Another multiplexer, of the other habit, has taken over.
        let more: Script = (4...11).map { (counter: $0, content: $0, kind: $0 % 2 == 0 ? .nothing : .payload) }
        let other = try check(raised + more)
        #expect(other.suffix(8) == [.gap, .inOrder, .gap, .inOrder, .inOrder, .inOrder, .inOrder, .inOrder])
    }

    @Test func permitsAnAnnouncedJump() throws {
        let verdicts = try check([(3, 1, .payload), (9, 2, .jump), (10, 3, .payload), (4, 4, .payload)])
        #expect(verdicts == [.inOrder, .signalledDiscontinuity, .inOrder, .gap])
    }

    @Test func ignoresNullPackets() throws {
        let verdicts = try check([(3, 1, .payload), (9, 2, .payload), (9, 3, .payload)], pid: PID.null)
        #expect(verdicts == [.inOrder, .inOrder, .inOrder])
    }

    /// Of what is lost, the counter shows how many packets there were, up to fifteen.
    @Test(arguments: [(3, 5, 1), (3, 3, 15), (14, 2, 3), (15, 0, 0)])
    func countsWhatIsMissing(before: UInt8, after: UInt8, missing: Int) throws {
        let bytes = TSPacketTests.packet([0x47, 0, 1, 0x10 | after])
        let counted = try bytes.withUnsafeBytes { Continuity.missing(from: before, to: try TSPacket($0)) }
        #expect(counted == missing)
    }

    @Test func keepsPIDsApart() throws {
        var table = ContinuityTable()
        for (pid, counter) in [(UInt8(1), UInt8(3)), (2, 7), (1, 4), (2, 8)] {
            let bytes = TSPacketTests.packet([0x47, 0, pid, 0x10 | counter])
            let verdict = try bytes.withUnsafeBytes { table.check(try TSPacket($0), in: $0) }
            #expect(verdict == .inOrder)
        }
    }
}
