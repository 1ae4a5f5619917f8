// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import RTP

@Suite struct RTPSequenceTests {
    private func verdicts(_ numbers: [UInt16], _ sequence: inout RTPSequence) -> [RTPSequence.Verdict] {
        numbers.map { sequence.receive($0) }
    }

    @Test func countsAcrossTheWrap() {
        var sequence = RTPSequence()
        #expect(verdicts([65534, 65535, 0, 1], &sequence).allSatisfy { $0 == .inOrder })
        #expect(sequence.expected == 4 && sequence.received == 4 && sequence.lost == 0)
    }

    @Test func tellsLostLateAndDuplicateApart() {
        var sequence = RTPSequence()
        #expect(verdicts([10, 13, 11, 11, 13], &sequence) == [.inOrder, .lost(2), .late, .duplicate, .duplicate])
        #expect(sequence.expected == 4 && sequence.lost == 1)
        #expect(sequence.reordered == 1 && sequence.duplicates == 2)
    }

    @Test func takesAPacketFromBeforeTheFirstAsLate() {
        var sequence = RTPSequence()
        #expect(verdicts([10, 9, 9, 11], &sequence) == [.inOrder, .late, .duplicate, .inOrder])
        #expect(sequence.lost == 0 && sequence.expected == 3)
    }

    @Test func believesAJumpOnlyWhenItGoesOn() {
        var sequence = RTPSequence()
        #expect(
            verdicts([100, 40000, 101, 50000, 50001, 50002], &sequence)
                == [.inOrder, .stray, .inOrder, .stray, .restart, .inOrder])
        #expect(sequence.restarts == 1 && sequence.strays == 1 && sequence.lost == 0 && sequence.received == 5)
    }

    @Test(arguments: [
        (2999, RTPSequence.Verdict.lost(2998)), (3000, .stray), (65536 - 99, .late), (65536 - 100, .stray),
    ])
    func keepsTheBoundsOfTheStandard(distance: Int, verdict: RTPSequence.Verdict) {
        var sequence = RTPSequence()
        _ = sequence.receive(7)
        #expect(sequence.receive(7 &+ UInt16(distance)) == verdict)
    }

    @Test(arguments: 1...100 as ClosedRange<UInt64>) func agreesWithASetOfNumbers(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var numbers = (0..<400).map { UInt16(truncatingIfNeeded: 65400 + $0) }
        numbers.removeAll { $0 != 65400 && $0 != 263 && Int.random(in: 0..<20, using: &random) == 0 }
        let sent = Set(numbers)
        for index in 1..<numbers.count - 8 where Int.random(in: 0..<8, using: &random) == 0 {
            numbers.swapAt(index, index + Int.random(in: 0..<8, using: &random))
        }
        numbers += numbers.suffix(3)
        var sequence = RTPSequence()
        for number in numbers { _ = sequence.receive(number) }
        #expect(sequence.received == UInt64(sent.count))
        #expect(sequence.lost == UInt64(400 - sent.count))
        #expect(sequence.duplicates == 3)
    }
}
