// SPDX-License-Identifier: Apache-2.0
import Radio
import Testing

@testable import Radios

/// The formula of the link indicator (SVM-114).
struct LinkScoreTests {
    @Test(arguments: [
        (-90, Int?(-95), 1), (-73, -95, 5), (-55, -95, 10), (-30, nil, 10), (-95, nil, 1), (-60, -80, 4), (-73, nil, 5),
    ]) func theBaseIsTheRatioOfSignalToNoise(signal: Int, noise: Int?, score: Int) {
        #expect(LinkScore.value(signal: signal, noise: noise) == score)
    }

    @Test(arguments: [
        (LinkScore.Losses(transmitted: 90, failed: 10), 9), (.init(transmitted: 0, failed: 100), 6),
        (.init(transmitted: 0, failed: 0, retries: 5), 10), (.init(transmitted: 100, retries: 10), 10),
        (.init(transmitted: 100, retries: 60), 7), (.init(transmitted: 100, retries: 900), 7),
        (.init(failed: 100), 10), (.init(beaconLosses: 2), 8), (.init(beaconLosses: 9), 7),
        (.init(transmitted: 0, failed: 100, retries: 1_000, beaconLosses: 9), 1),
    ]) func lossesAreDeducted(losses: LinkScore.Losses, score: Int) {
        #expect(LinkScore.value(signal: -50, noise: -95, losses: losses) == score)
    }

    @Test func aChangeNeedsTwoSamples() {
        var score = LinkScore()
        var shown: [Int?] = []
        let signals: [Int?] = [nil, -55, -73, -55, -73, -73, -55, -60, -60]
        for (second, signal) in signals.enumerated() {
            score.observed(
                signal: signal, noise: -95, totals: RadioTotals(), at: RadioScript.at(Int64(second) * 1_000))
            shown.append(score.value)
        }
        #expect(shown == [nil, 10, 10, 10, 10, 5, 5, 9, 9])
    }

    @Test func lossesAreThoseOfTenSeconds() {
        var score = LinkScore()
        var totals = RadioTotals()
        totals[.beaconLosses] = 40  // of before
        var shown: [Int?] = []
        for second in 0...20 as ClosedRange<Int64> {
            if second == 2 { totals[.beaconLosses] = 42 }
            score.observed(signal: -50, noise: -95, totals: totals, at: RadioScript.at(second * 1_000))
            shown.append(score.value)
        }
        #expect(shown[0...2] == [10, 10, 10])
        #expect(shown[3...11].allSatisfy { $0 == 8 })
        #expect(shown[13...].allSatisfy { $0 == 10 })
    }
}
