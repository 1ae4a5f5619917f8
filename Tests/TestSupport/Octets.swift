// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
    /// What hexadecimal digits say, two of one line for each octet. Lines that begin with "#" are comments; what is no
    /// digit is passed over, and so is the last digit of a line with an odd number of them.
    public init(hexadecimal text: some StringProtocol) {
        self = []
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let digits: [Int] = line.compactMap(\.hexDigitValue)
            for place in stride(from: 1, to: digits.count, by: 2) {
                append(UInt8(digits[place - 1] << 4 | digits[place]))
            }
        }
    }

    /// An integer, its highest octet first.
    public init(bigEndian value: some FixedWidthInteger) {
        self = Swift.withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }

    /// An integer as the machine has it in memory.
    public init(native value: some FixedWidthInteger) {
        self = Swift.withUnsafeBytes(of: value) { Array($0) }
    }
}
