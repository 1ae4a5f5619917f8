// SPDX-License-Identifier: Apache-2.0

/// The CRC of sections (ISO/IEC 13818-1 annex A): polynomial 0x04C11DB7, most significant bit first, initial value all
/// ones, no final complement. Over a section including its CRC it is 0.
public enum CRC32MPEG {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index) << 24) { value, _ in value << 1 ^ (value >> 31 == 1 ? 0x04C1_1DB7 : 0) }
    }

    public static func checksum(of bytes: some Sequence<UInt8>) -> UInt32 {
        table.withUnsafeBufferPointer { table in
            bytes.reduce(0xFFFF_FFFF) { crc, octet in crc << 8 ^ table[Int(crc >> 24 ^ UInt32(octet))] }
        }
    }
}
