// SPDX-License-Identifier: Apache-2.0
import Scene
import TestSupport
import Testing
import Time

@testable import Display

/// One stage on two screens: what befalls one is of no matter to the other.
struct MirroredScreensTests {
    private static let frame = FakeCard.frameSpan

    @Test func bothShowTheSame() {
        let bench = MirrorBench()
        var worst = 0
        bench.run(for: .seconds(2)) {
            for connector in [50, 51] as [UInt32] { worst = max(worst, bench.lag(connector) ?? 1_000) }
        }
        #expect(worst <= 2 && bench.longestCall <= Self.frame && bench.card.modesets == 2)
        #expect(bench.status.connector == "HDMI-A-1" && bench.status.mode == "192x108@60")
        #expect(bench.status.mirrors.map(\.connector) == ["HDMI-A-2"])
        #expect(bench.status.mirrors.first?.mode == "128x72@50")
        #expect(bench.card.brokenRules == [] && bench.card.livingFramebuffers == 4)
        bench.end()
        #expect(bench.card.livingFramebuffers == 0 && bench.card.livingDumbBuffers == 0)
        #expect(bench.card.livingBlobs == 0 && !bench.card.isMaster)
    }

    @Test func thePreferredOnePaces() {
        let bench = MirrorBench(preferred: "HDMI-A-2")
        #expect(bench.status.connector == "HDMI-A-2" && bench.status.mirrors.map(\.connector) == ["HDMI-A-1"])
        bench.card[51] = nil
        bench.tell()
        bench.run(for: .milliseconds(500))
        #expect(bench.status.connector == "HDMI-A-1" && bench.status.mirrors.first?.mode == nil)
    }

    @Test(arguments: [50, 51] as [UInt32]) func oneIsPulledOutAndPutIn(connector: UInt32) {
        let bench = MirrorBench()
        let other = connector ^ 1
        func check() { #expect((bench.lag(other) ?? 1_000) <= 3) }
        bench.card[connector] = nil
        bench.tell()
        bench.run(for: .seconds(1), check: check)
        #expect(bench.card.modesets == 2 + 1, "the other one is only told again")
        #expect(bench.status.connector == (connector == 50 ? "HDMI-A-2" : "HDMI-A-1"))
        bench.card.modesetSpan = .seconds(10)
        bench.card[connector] = .television
        bench.tell()
        bench.run(for: .seconds(20), check: check)
        #expect((bench.lag(connector) ?? 1_000) <= 2 && bench.longestCall <= Self.frame * 2)
        #expect(bench.status.connector == "HDMI-A-1" && bench.card.brokenRules == [])
    }

    /// Its flips get lost, or it refuses everything: the other one is kept for three frames at most, now and then.
    @Test(arguments: [40, 41] as [UInt32], [true, false]) func oneIsBroken(crtc: UInt32, loses: Bool) {
        let bench = MirrorBench()
        if loses { bench.card.losing = [crtc] } else { bench.card.refusing = [crtc] }
        let other: UInt32 = crtc == 40 ? 51 : 50
        var late = 0
        let before = bench.serial
        bench.run(for: .seconds(9)) { if (bench.lag(other) ?? 1_000) > 2 { late += 1 } }
        #expect(late <= 5 && bench.serial - before >= 440 && bench.longestCall <= Self.frame * 5)
        (bench.card.losing, bench.card.refusing) = ([], [])
        bench.run(for: .seconds(12))
        #expect((bench.lag(50) ?? 1_000) <= 2 && (bench.lag(51) ?? 1_000) <= 2)
        #expect(bench.card.brokenRules == [] && bench.status.connector == "HDMI-A-1")
    }

    /// The first could have both CRTCs, the second has no choice.
    @Test func crtcsAreShared() {
        for possible in [[50: [40, 41], 51: [40]], [50: [41, 40], 51: [41]], [50: [40], 51: [40, 41]]]
            as [[UInt32: [UInt32]]]
        {
            let bench = MirrorBench { $0.possible = possible }
            bench.run(for: .seconds(1))
            #expect((bench.lag(50) ?? 1_000) <= 2 && (bench.lag(51) ?? 1_000) <= 2, "\(possible)")
            #expect(bench.card.brokenRules == [])
        }
        // Too few: the second stays dark.
        let bench = MirrorBench { $0.possible = [50: [40], 51: [40]] }
        #expect((bench.lag(50) ?? 1_000) <= 2 && bench.lag(51) == nil && bench.card.brokenRules == [])
    }

    @Test func aPinThatOneScreenLacks() {
        let bench = MirrorBench(pin: ModePin("192x108@50"))
        #expect(bench.status.pinPassedOver == nil && bench.status.mode == "192x108@50")
        #expect(bench.status.mirrors.first?.pinPassedOver == "192x108@50")
        bench.card[51] = .television
        bench.tell()
        bench.run(for: .seconds(1))
        #expect(bench.status.mirrors.first?.pinPassedOver == nil)
    }

    /// Accidents of one screen; the other shows every picture, but for one that is about to be.
    @Test(arguments: Effort.seeds(60)) func anyOrder(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let bench = MirrorBench()
        let connector = UInt32.random(in: 50...51, using: &random)
        let (other, crtc) = (connector ^ 1, connector - 10)
        var late = 0
        for _ in 0..<20 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0: bench.card.refusing = bench.card.refusing.isEmpty ? [crtc] : []
            case 1: bench.card.losing = bench.card.losing.isEmpty ? [crtc] : []
            case 2: bench.card[connector] = nil
            case 3: bench.card[connector] = .television
            case 4: bench.card[connector] = .other
            case 5: bench.card.breakLink(connector)
            case 6: bench.card.modesetSpan = .milliseconds(.random(in: 20...5_000, using: &random))
            default: bench.card.replug(connector)
            }
            if Int.random(in: 0..<4, using: &random) > 0 { bench.tell() }
            bench.run(for: .milliseconds(.random(in: 0...900, using: &random))) {
                let lag = bench.lag(other)
                #expect(lag != nil, "the other one went dark")
                if (lag ?? 0) > 3 { late += 1 }
            }
        }
        #expect(late <= 20 && bench.longestCall <= Self.frame * 5, "\(late) late, \(bench.longestCall)")
        (bench.card.refusing, bench.card.losing) = ([], [])
        bench.card.modesetSpan = FakeCard.usualModesetSpan
        if bench.card[connector] == nil { bench.card[connector] = .other }
        bench.tell()
        bench.run(for: .seconds(8))
        #expect((bench.lag(50) ?? 1_000) <= 2 && (bench.lag(51) ?? 1_000) <= 2, "\(bench.status)")
        #expect(bench.card.brokenRules == [])
        bench.end()
        #expect(bench.card.livingFramebuffers == 0 && bench.card.livingDumbBuffers == 0)
        #expect(bench.card.livingBlobs == 0)
    }
}
