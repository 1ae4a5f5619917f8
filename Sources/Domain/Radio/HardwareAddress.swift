// SPDX-License-Identifier: Apache-2.0

/// The address of an interface by IEEE 802: 48 bits. That of an access point's radio is called BSSID.
public struct HardwareAddress: Hashable, Sendable {
    /// The first octet that is sent is in bits 40...47; bits 48...63 are 0.
    public let bits: UInt64

    /// - Parameter bits: of which the low 48 count.
    public init(bits: UInt64) { self.bits = bits & 0xffff_ffff_ffff }

    /// Six octets, in the order in which they are sent.
    public var octets: [UInt8] {
        stride(from: 40, through: 0, by: -8).map { shift in UInt8(truncatingIfNeeded: bits >> shift) }
    }
}

extension HardwareAddress: LosslessStringConvertible {
    /// Accepts six pairs of hexadecimal digits of either case, with colons between them. nil for all else.
    public init?(_ text: String) {
        let octets = Array(text.utf8.prefix(18))
        guard octets.count == 17 else { return nil }
        var bits: UInt64 = 0
        for (index, octet) in octets.enumerated() {
            if index % 3 == 2 {
                guard octet == UInt8(ascii: ":") else { return nil }
            } else {
                guard let digit = Self.digit(octet) else { return nil }
                bits = bits << 4 | digit
            }
        }
        self.init(bits: bits)
    }

    /// As aa:bb:cc:dd:ee:ff, in lower case.
    public var description: String {
        let text = octets.flatMap { octet in
            [UInt8(ascii: ":"), Self.character(octet >> 4), Self.character(octet & 0xf)]
        }
        return String(decoding: text.dropFirst(), as: UTF8.self)
    }

    /// nil if the character is no hexadecimal digit.
    private static func digit(_ character: UInt8) -> UInt64? {
        switch character {
        case 0x30...0x39: UInt64(character - 0x30)
        case 0x41...0x46: UInt64(character - 0x41 + 10)
        case 0x61...0x66: UInt64(character - 0x61 + 10)
        default: nil
        }
    }

    /// - Parameter digit: 0...15.
    private static func character(_ digit: UInt8) -> UInt8 { digit < 10 ? 0x30 + digit : 0x61 + digit - 10 }
}
