// SPDX-License-Identifier: Apache-2.0

/// A check sum of 32 bits: reflected, begun with all ones, inverted at the end.
package struct CRC32: Sendable {
    package enum Polynomial: Sendable {
        /// 0x1EDC6F41: CRC-32C, as in iSCSI (RFC 3720, 12.1).
        case castagnoli
        /// 0x04C11DB7: the CRC of ISO/IEC 3309, as in Ethernet, zlib and PNG.
        case iso3309
    }

    private let table: [UInt32]
    private var state: UInt32 = .max

    package init(_ polynomial: Polynomial) {
        switch polynomial {
        case .castagnoli: table = Self.castagnoli
        case .iso3309: table = Self.iso3309
        }
    }

    package init(_ polynomial: Polynomial, _ octets: some Collection<UInt8>) {
        self.init(polynomial)
        add(octets)
    }

    package var value: UInt32 { ~state }

    package mutating func add(_ octets: some Collection<UInt8>) {
        if octets.withContiguousStorageIfAvailable({ add(UnsafeRawBufferPointer($0)) }) != nil { return }
        add(Array(octets))
    }

    package mutating func add(_ octets: UnsafeRawBufferPointer) {
        state = table.withUnsafeBufferPointer { table in
            octets.reduce(state) { $0 >> 8 ^ table[Int(($0 ^ UInt32($1)) & 0xFF)] }
        }
    }

    private static let castagnoli = table(reflected: 0x82F6_3B78)
    private static let iso3309 = table(reflected: 0xEDB8_8320)

    private static func table(reflected polynomial: UInt32) -> [UInt32] {
        (0..<256).map { (index: UInt32) in
            (0..<8).reduce(index) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ polynomial }
        }
    }
}
