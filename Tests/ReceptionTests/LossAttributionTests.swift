// SPDX-License-Identifier: Apache-2.0
import Testing
import Time

@testable import Reception

@Suite struct LossAttributionTests {
    private static let start = Monotonic(nanoseconds: 5_000_000_000)

    private static func verdict(_ losses: LossAttribution) -> [Int64] { [losses.lostToKernel, losses.lostToNetwork] }

    @Test func whatNobodyDroppedIsTheNetworks() {
        var losses = LossAttribution()
        losses.account(lost: 3, at: Self.start)
        #expect(Self.verdict(losses) == [0, 3])
    }

    /// Gaps are given up with the drop that made them, or up to a repair's span later.
    @Test(arguments: [0, 25, 1_500, 4_900] as [Int64]) func dropsAreHeldAgainstTheGapsBehindThem(delay: Int64) {
        var losses = LossAttribution()
        losses.kernelDropped(5)
        if delay > 0 { losses.account(lost: 0, at: Self.start) }
        losses.account(lost: 7, at: Self.start + .milliseconds(delay))
        #expect(Self.verdict(losses) == [5, 2])
        losses.account(lost: 9, at: Self.start + .milliseconds(delay))
        #expect(Self.verdict(losses) == [5, 4])
    }

    @Test func dropsWithoutAGapAreForgotten() {
        var losses = LossAttribution()
        losses.kernelDropped(5)
        losses.account(lost: 2, at: Self.start)
        losses.account(lost: 2, at: Self.start + .seconds(6))
        losses.account(lost: 10, at: Self.start + .seconds(7))
        #expect(Self.verdict(losses) == [2, 8])
        losses.kernelDropped(1)
        losses.kernelDropped(0)
        losses.account(lost: 11, at: Self.start + .seconds(7))
        #expect(Self.verdict(losses) == [3, 8])
    }
}
