// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time

struct FrameRateTests {
    @Test func isShortened() {
        #expect(FrameRate(50_000, per: 1_000) == FrameRate(50))
        #expect(FrameRate(148_500_000, per: 2_640 * 1_125) == FrameRate(50))
        #expect(FrameRate(60_000, per: 1_001) == .ntscFields)
        #expect(FrameRate(9_000_000_000_000, per: 1 << 40).pictures > 0)
    }

    @Test(arguments: [
        ("50", FrameRate(50), "50"), ("59.94", .ntscFields, "59.94"), ("59.940", .ntscFields, "59.94"),
        ("23.976", .ntscFilm, "23.976"), ("23.98", .ntscFilm, "23.976"), ("29.97", .ntscFrames, "29.97"),
        ("119.88", FrameRate(120_000, per: 1_001), "119.88"), ("60.000", FrameRate(60), "60"),
        ("59.95", FrameRate(59_950, per: 1_000), "59.95"), ("1", FrameRate(1), "1"), ("240", FrameRate(240), "240"),
        ("12.5", FrameRate(25, per: 2), "12.5"),
    ])
    func text(text: String, rate: FrameRate, printed: String) {
        #expect(FrameRate(text) == rate)
        #expect(rate.description == printed)
    }

    @Test(arguments: [
        "", "0", "050", "241", "240.001", "0.999", "50.", ".5", "50.0000", "5O", "-50", "1e2", "50 ", "٥٠",
    ])
    func noText(text: String) { #expect(FrameRate(text) == nil) }

    /// What is printed is read as the same, whatever was read.
    @Test func everyText() throws {
        for thousandths in stride(from: 1_000, through: 240_000, by: Effort.isEmulated ? 97 : 1) {
            let digits = String(1_000_000 + thousandths % 1_000).suffix(3)
            let rate = try #require(FrameRate("\(thousandths / 1_000).\(digits)"))
            #expect(abs(rate.milliHertz - thousandths) <= 5)
            #expect(FrameRate(rate.description) == rate)
        }
    }

    @Test func order() {
        let rates: [FrameRate] = [
            .ntscFilm, FrameRate(24), FrameRate(25), .ntscFrames, FrameRate(30), FrameRate(50), .ntscFields,
            FrameRate(60),
        ]
        #expect(rates.shuffled().sorted() == rates)
        #expect(FrameRate(8_999_999_999_999, per: 1 << 40) < FrameRate(9_000_000_000_000, per: (1 << 40) - 1))
        // Of two neighbours none is taken for the other.
        for (index, rate) in rates.enumerated() {
            for (place, other) in rates.enumerated() { #expect(rate.isAlmost(other) == (index == place)) }
        }
    }

    /// The pixel clocks of CEA-861 as the kernel has them, in whole kHz.
    @Test(arguments: [
        (148_352, 2_200, 1_125, FrameRate.ntscFields), (74_176, 2_750, 1_125, .ntscFilm),
        (27_000, 858, 525, .ntscFields),
        (25_175, 800, 525, .ntscFields), (74_176, 1_650, 750, .ntscFields), (593_407, 4_400, 2_250, .ntscFields),
        (65_000, 1_344, 806, FrameRate(60)), (27_000, 864, 625, FrameRate(50)),
    ])
    func clocksInKilohertz(clock: Int64, width: Int64, height: Int64, rate: FrameRate) {
        #expect(FrameRate(clock * 1_000, per: width * height).isAlmost(rate))
    }

    @Test(
        arguments: [
            (FrameRate(25), FrameRate(50), 2), (FrameRate(25), FrameRate(25), 1), (FrameRate(24), FrameRate(60), nil),
            (.ntscFilm, FrameRate(120_000, per: 1_001), 5), (FrameRate(30), .ntscFields, nil),
            (.ntscFrames, .ntscFields, 2),
            (FrameRate(50), FrameRate(25), nil), (FrameRate(25), FrameRate(60), nil), (FrameRate(12), FrameRate(60), 5),
            (FrameRate(9_000_000_000_000), FrameRate(9_000_000_000_000), 1),
            (FrameRate(1, per: 1 << 40), FrameRate(240), nil),
            (FrameRate(9_000_000_000_000), FrameRate(1), nil),
        ] as [(FrameRate, FrameRate, Int?)])
    func repeats(content: FrameRate, screen: FrameRate, times: Int?) { #expect(content.repeats(on: screen) == times) }

    @Test func periods() {
        #expect(FrameRate(50).period == .milliseconds(20))
        #expect(FrameRate.ntscFields.period == Nanoseconds(16_683_333))
        #expect(FrameRate(9_000_000_000_000).period == .zero)
        #expect(FrameRate(1, per: 1 << 40).period == Nanoseconds(.max))
    }
}
