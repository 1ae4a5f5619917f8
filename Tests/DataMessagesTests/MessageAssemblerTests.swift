// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

@testable import DataMessages

/// Messages of a data channel, each once, in order, whole or not at all (SVM-47, G-08).
@Suite struct MessageAssemblerTests {
    private var writer = MessageWriter(payloadOctets: 256, firstSequence: .max - 1)
    private var assembler = MessageAssembler()

    private mutating func send(_ octets: Int, seed: UInt64 = 1) throws -> [[UInt8]] {
        try writer.payloads(of: Message.make(octets, seed: seed))
    }

    @Test mutating func countsAroundAndStampsTheLastPiece() throws {
        for index in 0..<4 {
            let payloads = try send(500, seed: UInt64(index))
            #expect(payloads.count == 3)
            for (place, payload) in payloads.enumerated() {
                let message = assembler.received(payload, at: Monotonic(nanoseconds: Int64(10 * index + place)))
                #expect((message != nil) == (place == 2))
                guard let message else { continue }
                #expect(message.sequence == UInt32.max - 1 &+ UInt32(index))
                #expect(message.arrival.nanoseconds == Int64(10 * index + 2))
                #expect(message.octets == Message.make(500, seed: UInt64(index)))
            }
        }
        #expect(assembler.counters.messages == 4 && assembler.counters.octets == 2_000)
        #expect(assembler.counters.lost == 0 && assembler.counters.restarts == 0)
    }

    @Test mutating func lateJoinerBeginsAtTheNextWholeMessage() throws {
        let first = try send(500)
        let second = try send(1)
        for payload in first.dropFirst() { #expect(assembler.received(payload) == nil) }
        #expect(assembler.received(second[0])?.sequence == .max)
        #expect(assembler.counters.incomplete == 0 && assembler.counters.lost == 0)
    }

    @Test(arguments: 0..<3)
    mutating func aMissingPieceCostsItsMessageAlone(missing: Int) throws {
        let messages = try (0..<3).map { _ in try send(500) }
        var delivered: [UInt32] = []
        for (index, payloads) in messages.enumerated() {
            for (place, payload) in payloads.enumerated() where index != 1 || place != missing {
                if let message = assembler.received(payload) { delivered.append(message.sequence) }
            }
        }
        #expect(delivered == [UInt32.max - 1, 0])
        #expect(assembler.counters.incomplete == 1 && assembler.counters.lost == 0)
    }

    @Test mutating func wholeMessagesThatAreMissingAreLost() throws {
        let messages = try (0..<6).map { _ in try send(1) }
        for index in [0, 1, 5] { #expect(assembler.received(messages[index][0]) != nil) }
        #expect(assembler.counters.lost == 3 && assembler.counters.messages == 3)
    }

    @Test mutating func aRepeatedMessageIsNotDeliveredTwiceAndCompletesWhatIsMissing() throws {
        let first = try send(1)
        let second = try send(500)
        #expect(assembler.received(first[0]) != nil)
        #expect(assembler.received(first[0]) == nil)
        for place in [0, 2] { #expect(assembler.received(second[place]) == nil) }
        #expect(assembler.received(second[0]) == nil)
        #expect(assembler.received(second[1]) == nil)
        #expect(assembler.received(second[2])?.octets == Message.make(500, seed: 1))
        #expect(assembler.received(first[0]) == nil)
        #expect(assembler.counters.duplicates == 2 && assembler.counters.incomplete == 0)
    }

    @Test mutating func anotherRunCountsAnew() throws {
        let first = try send(1)
        #expect(assembler.received(first[0]) != nil)
        #expect(assembler.received(first[0], source: 2) != nil)
        var far = MessageWriter(firstSequence: 1 << 30)
        #expect(assembler.received(try far.payloads(of: [1])[0], source: 2) != nil)
        #expect(assembler.counters.restarts == 2 && assembler.counters.lost == 0)
    }

    @Test mutating func damagedAndForeignPiecesAreCounted() throws {
        var damaged = try send(500)
        damaged[1][100] ^= 1
        for payload in damaged { #expect(assembler.received(payload) == nil) }
        #expect(assembler.counters.damaged == 1)
        let own = try send(500)
        var other = MessageWriter(payloadOctets: 256, firstSequence: .max)
        #expect(assembler.received(own[0]) == nil)
        #expect(assembler.received(try other.payloads(of: Message.make(400, seed: 9))[1]) == nil)
        #expect(assembler.received([1, 2, 3]) == nil)
        #expect(assembler.received([]) == nil)
        #expect(assembler.counters.malformed == 2)
        #expect(assembler.received(own[1]) == nil)
        #expect(assembler.received(own[2]) != nil)
    }

    /// Every sequence is in exactly one counter, whatever is lost.
    @Test(arguments: Effort.seeds(50))
    mutating func everySequenceIsCountedOnce(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let loss = Double.random(in: 0..<0.5, using: &random)
        var begun: UInt32?
        var last: UInt32 = 0
        var delivered: [UInt32] = []
        for _ in 0..<300 {
            let octets = Int.random(in: 1...2_000, using: &random)
            let sequence = writer.nextSequence
            let payloads = try send(octets, seed: seed)
            for (place, payload) in payloads.enumerated() where Double.random(in: 0..<1, using: &random) >= loss {
                if begun == nil, place == 0 { begun = sequence }
                if begun != nil { last = sequence }
                guard let message = assembler.received(payload) else { continue }
                #expect(message.octets == Message.make(octets, seed: seed))
                delivered.append(message.sequence &- (.max - 1))
            }
        }
        let end = try send(1)
        if assembler.received(end[0]) != nil { last = writer.nextSequence &- 1 }
        let counters = assembler.counters
        #expect(delivered == Array(Set(delivered)).sorted())
        #expect(counters.messages == Int64(delivered.count) + 1 && counters.damaged == 0 && counters.duplicates == 0)
        let span = Int64(last &- (begun ?? last)) + 1
        #expect(counters.messages + counters.incomplete + counters.lost == span)
    }

    @Test mutating func mutationsNeitherTrapNorDeliverWhatWasNotSent() throws {
        var mutation = Mutation(seed: 5)
        let payloads = try (0..<8).flatMap { try send(700, seed: UInt64($0)) }
        let sent = Set((0..<8).map { Message.make(700, seed: UInt64($0)) })
        for round in 0..<Mutation.count() {
            let payload = payloads[round % payloads.count]
            let message = assembler.received(round % 3 == 0 ? mutation.damage(payload) : payload)
            #expect(message.map { sent.contains($0.octets) } ?? true)
        }
    }
}
