// SPDX-License-Identifier: Apache-2.0
import Testing
import Venue

@testable import Reporting

/// Why a channel shows no picture: one second of each fault after another.
struct PictureAbsenceTests {
    private static let second: ChannelEvidence = {
        var evidence = ChannelEvidence()
        evidence.datagrams = 500
        evidence.transportPackets = 3_500
        evidence.videoUnits = 25
        evidence.isProgramKnown = true
        return evidence
    }()

    /// The reason after each of five seconds that are like the given one.
    private func reasons(_ change: (inout ChannelEvidence) -> Void) -> [PictureAbsence?] {
        var (monitor, step, sum) = (PictureAbsenceMonitor(), Self.second, ChannelEvidence())
        change(&step)
        (sum.isProgramKnown, sum.unsupported) = (step.isProgramKnown, step.unsupported)
        (sum.missingProgram, sum.listedPrograms) = (step.missingProgram, step.listedPrograms)
        let counts: [WritableKeyPath<ChannelEvidence, Int64>] = [
            \.datagrams, \.otherPayloadType, \.transportPackets, \.lostPackets, \.scrambledPackets, \.videoUnits,
            \.unitsSkipped, \.unitsWithoutParameterSets, \.picturesDecoded, \.picturesHeld,
        ]
        return (0..<5).map { _ in
            for count in counts { sum[keyPath: count] += step[keyPath: count] }
            return monitor.observe(sum)
        }
    }

    private func reason(_ change: (inout ChannelEvidence) -> Void) -> PictureAbsence? {
        let found = reasons(change)
        #expect(found.prefix(2).allSatisfy { $0 == nil }, "too little is known at first")
        #expect(found.suffix(3).allSatisfy { $0 == found.last })
        return found.last ?? nil
    }

    @Test func eachHasItsReason() {
        #expect(reason { $0 = ChannelEvidence() } == .nothingArrives)
        #expect(
            reason {
                ($0.otherPayloadType, $0.transportPackets, $0.isProgramKnown, $0.videoUnits) = (500, 0, false, 0)
            } == .otherPayloadType)
        #expect(
            reason { ($0.transportPackets, $0.isProgramKnown, $0.videoUnits) = (0, false, 0) } == .noTransportStream)
        // What is no transport stream has a sync byte here and there.
        let chance = reason {
            ($0.transportPackets, $0.scrambledPackets, $0.isProgramKnown, $0.videoUnits) = (60, 30, false, 0)
        }
        #expect(chance == .noTransportStream)
        #expect(reason { ($0.isProgramKnown, $0.videoUnits) = (false, 0) } == .noProgram)
        #expect(reason { ($0.scrambledPackets, $0.videoUnits) = (3_000, 0) } == .scrambled)
        let missing = reason {
            ($0.missingProgram, $0.listedPrograms, $0.videoUnits, $0.scrambledPackets) = ("'Drei'", "1 Eins", 0, 3_000)
        }
        #expect(missing == .programMissing("'Drei'", listed: "1 Eins"))
        #expect(missing?.text == "its transport stream has no program 'Drei'; it has 1 Eins")
        #expect(reason { ($0.missingProgram, $0.lostPackets) = ("'Drei'", 500) } == .loss(percent: 50))
        #expect(reason { ($0.unsupported, $0.videoUnits) = (["AVS2 on PID 256"], 0) } == .codec("AVS2 on PID 256"))
        #expect(reason { ($0.lostPackets, $0.picturesDecoded) = (10, 5) } == .loss(percent: 1))
        #expect(reason { ($0.lostPackets, $0.isProgramKnown) = (500, false) } == .loss(percent: 50))
        #expect(reason { $0.unitsSkipped = 25 } == .noEntryPoint)
        #expect(reason { ($0.unitsSkipped, $0.unitsWithoutParameterSets) = (25, 25) } == .noParameterSets)
        #expect(reason { _ in } == .undecodable)
        #expect(reason { $0.picturesDecoded = 25 } == nil)
        #expect(reason { ($0.picturesDecoded, $0.picturesHeld) = (25, 25) } == .heldBack)
        #expect(reason { ($0.picturesDecoded, $0.picturesHeld) = (25, 24) } == nil)
        // A few packets are no reason.
        #expect(reason { ($0.lostPackets, $0.picturesDecoded) = (2, 25) } == nil)
    }

    /// The reason follows what comes now, not what was counted since the channel was tuned.
    @Test func itFollowsTheLastSeconds() {
        var (monitor, sum) = (PictureAbsenceMonitor(), Self.second)
        sum.unitsSkipped = 25
        for _ in 0..<5 { _ = monitor.observe(sum) }
        #expect(monitor.observe(sum) == .nothingArrives)
        for _ in 0..<4 {
            (sum.datagrams, sum.transportPackets, sum.scrambledPackets) = (
                sum.datagrams + 500, sum.transportPackets + 3_500, sum.scrambledPackets + 3_000
            )
            _ = monitor.observe(sum)
        }
        #expect(monitor.observe(sum) == .scrambled)
    }
}
