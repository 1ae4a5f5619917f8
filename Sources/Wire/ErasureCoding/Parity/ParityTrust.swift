// SPDX-License-Identifier: Apache-2.0

/// Whether the sums of a flow are right, judged by groups without loss. A flow whose sums cover other packets than it
/// states would yield packets that look valid. Occasional damage on the way must not disable a good flow.
struct ParityTrust {
    private static let best = 8
    private var columns = best / 2
    private var rows = best / 2

    func isGiven(to flow: ParityFlow) -> Bool { flow == .columns ? columns > 0 : rows > 0 }

    mutating func summed(_ flow: ParityFlow, isRight: Bool) {
        switch flow {
        case .columns: columns = Self.after(columns, isRight)
        case .rows: rows = Self.after(rows, isRight)
        }
    }

    private static func after(_ trust: Int, _ isRight: Bool) -> Int {
        isRight ? min(trust + 1, best) : max(trust - 2, 0)
    }
}
