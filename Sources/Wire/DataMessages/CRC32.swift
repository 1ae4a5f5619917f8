// SPDX-License-Identifier: Apache-2.0

/// CRC-32 of ISO/IEC 3309, as in Ethernet, zlib and PNG: polynomial 0x04C11DB7, reflected, inverted.
struct CRC32: Sendable {
    private var state: UInt32 = .max

    var value: UInt32 { ~state }

    mutating func add(_ octets: UnsafeRawBufferPointer) {
        Self.table.withUnsafeBufferPointer { table in
            var state = state
            for octet in octets { state = state >> 8 ^ table[Int((state ^ UInt32(octet)) & 0xFF)] }
            self.state = state
        }
    }

    private static let table: [UInt32] = (0..<256).map { (index: UInt32) in
        var value = index
        for _ in 0..<8 { value = value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320 }
        return value
    }
}
