// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Time

@testable import DataMessages

enum Message {
    static func make(_ octets: Int, seed: UInt64) -> [UInt8] {
        var random = SplitMix64(seed: seed)
        return (0..<octets).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
}

extension MessageAssembler {
    mutating func received(_ payload: [UInt8], source: UInt32 = 1, at arrival: Monotonic = Monotonic(nanoseconds: 0))
        -> DataMessage?
    {
        payload.withUnsafeBytes { payloadReceived($0, source: source, at: arrival) }
    }
}
