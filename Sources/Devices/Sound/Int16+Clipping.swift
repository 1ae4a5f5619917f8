// SPDX-License-Identifier: Apache-2.0

extension Int16 {
    /// -1...1 to -32 767...32 767; what lies beyond is cut off, what is no number is silence.
    init(clipping sample: Float) {
        // A comparison with NaN is false.
        let limited: Float = sample > 1 ? 1 : sample >= -1 ? sample : sample < -1 ? -1 : 0
        self = Int16(limited * 32_767)
    }
}

extension Int32 {
    /// Likewise to 24 bits above 8 that devices ignore.
    init(clipping sample: Float) {
        let limited: Float = sample > 1 ? 1 : sample >= -1 ? sample : sample < -1 ? -1 : 0
        self = Int32(limited * 8_388_607) << 8
    }
}
