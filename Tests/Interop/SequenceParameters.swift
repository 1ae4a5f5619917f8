// SPDX-License-Identifier: Apache-2.0

/// An H.264 sequence parameter set (7.3.2.1) that says what a test wants it to.
struct SequenceParameters {
    /// Pixels; whole macroblocks count.
    var width: Int
    var height: Int
    var references: Int

    /// A NAL unit of High profile, level 6.2.
    var unit: [UInt8] {
        var bits: [Bool] = []
        func put(_ value: Int, _ count: Int) {
            for bit in (0..<count).reversed() { bits.append(value >> bit & 1 == 1) }
        }
        func putCode(_ value: Int) {
            let length = Int.bitWidth - (value + 1).leadingZeroBitCount
            put(value + 1, 2 * length - 1)
        }
        put(100, 8)
        put(0, 8)
        put(62, 8)
        for value in [0, 1, 0, 0] { putCode(value) }  // id, 4:2:0, 8 bits, 8 bits
        put(0, 2)
        for value in [0, 0, 2, references] { putCode(value) }  // frame number, order type and its bits
        put(0, 1)
        for value in [(width + 15) / 16 - 1, (height + 15) / 16 - 1] { putCode(value) }
        put(0b1100, 4)  // frames only, direct 8x8, neither crop nor VUI
        put(1, 1)
        while bits.count % 8 != 0 { bits.append(false) }
        let payload = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
        }
        // No emulation prevention: the profile and the one bits keep start codes out.
        return [0x67] + payload
    }
}
