// SPDX-License-Identifier: Apache-2.0

/// CRC-32C (Castagnoli) as in iSCSI (RFC 3720, 12.1): polynomial 0x1EDC6F41, reflected, inverted.
package struct CRC32C: Sendable {
    private var state: UInt32 = .max

    package init() {}

    package init(_ octets: some Collection<UInt8>) { add(octets) }

    package var value: UInt32 { ~state }

    package mutating func add(_ octets: some Collection<UInt8>) {
        if octets.withContiguousStorageIfAvailable({ add(UnsafeRawBufferPointer($0)) }) != nil { return }
        add(Array(octets))
    }

    package mutating func add(_ octets: UnsafeRawBufferPointer) {
        Self.table.withUnsafeBufferPointer { table in
            var state = state
            for octet in octets { state = state >> 8 ^ table[Int((state ^ UInt32(octet)) & 0xFF)] }
            self.state = state
        }
    }

    private static let table: [UInt32] = (0..<256).map { (index: UInt32) in
        var value = index
        for _ in 0..<8 { value = value & 1 == 0 ? value >> 1 : value >> 1 ^ 0x82F6_3B78 }
        return value
    }
}
