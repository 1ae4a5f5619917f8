// SPDX-License-Identifier: Apache-2.0
import Reporting
import Testing

/// SVM-114.
struct LinkIndicatorTests {
    @Test(arguments: [
        (0, 10), (9, 10), (10, 9), (1_000, 5), (9_999, 4), (10_000, 3), (50_000, 2), (316_228, 0), (1_000_000, 0),
    ])
    func formula(lossPPM: Int64, value: Int) {
        #expect(LinkIndicator.value(lossPPM: lossPPM) == value)
    }

    @Test func neverRisesWithLoss() {
        let values = stride(from: Int64(0), through: 1_000_000, by: 7).map { LinkIndicator.value(lossPPM: $0) }
        #expect(zip(values, values.dropFirst()).allSatisfy { $0 >= $1 })
        #expect(Set(values) == Set(0...10))
    }
}
