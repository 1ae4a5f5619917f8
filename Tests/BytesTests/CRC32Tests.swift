// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Bytes

@Suite struct CRC32Tests {
    /// RFC 3720, B.4, and the check value of the catalogue of CRC algorithms.
    private static let vectors: [(octets: [UInt8], checksum: UInt32)] = [
        ([UInt8](repeating: 0, count: 32), 0x8A91_36AA),
        ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43),
        (Array(0..<32), 0x46DD_794E),
        (Array((0..<32).reversed()), 0x113F_DB5C),
        (
            [UInt8](
                hexadecimal: """
                    01c0000000000000000000000000000014000000000004000000001400000018
                    28000000000000000200000000000000
                    """), 0xD996_3A56
        ),
        (Array("123456789".utf8), 0xE306_9283),
        ([], 0),
    ]

    @Test func vectorsOfTheStandard() {
        for (octets, checksum) in Self.vectors { #expect(CRC32(.castagnoli, octets).value == checksum) }
    }

    /// The check value of the catalogue of CRC algorithms.
    @Test func theOtherPolynomialIsThatOfZlib() {
        #expect(CRC32(.iso3309, Array("123456789".utf8)).value == 0xCBF4_3926)
    }

    @Test func piecesAreAsTheWhole() {
        let octets = (0..<300).map { UInt8(truncatingIfNeeded: $0 * 7) }
        for cut in octets.indices {
            var checksum = CRC32(.castagnoli, octets[..<cut])
            checksum.add(octets[cut...].lazy.map { $0 })
            #expect(checksum.value == CRC32(.castagnoli, octets).value, "cut at \(cut)")
        }
    }
}
