// SPDX-License-Identifier: Apache-2.0

extension Int16 {
    /// Converts -1...1 to -32 767...32 767. Values beyond are clipped; NaN becomes silence.
    init(clipping sample: Float) {
        // Each comparison with NaN is false.
        let limited: Float = sample > 1 ? 1 : sample >= -1 ? sample : sample < -1 ? -1 : 0
        self = Int16(limited * 32_767)
    }
}

extension Int32 {
    /// Converts -1...1 to 24 bits in the upper octets; devices ignore the lower 8 bits. Clips like `Int16`.
    init(clipping sample: Float) {
        let limited: Float = sample > 1 ? 1 : sample >= -1 ? sample : sample < -1 ? -1 : 0
        self = Int32(limited * 8_388_607) << 8
    }
}
