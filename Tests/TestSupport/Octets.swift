// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
    /// What hexadecimal digits say, two for each octet. Lines that begin with "#" are comments; between digits there may
    /// be anything that is no digit.
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
}
