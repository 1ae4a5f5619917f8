// SPDX-License-Identifier: Apache-2.0

/// Identifies one start of the service. The reports of each start are numbered from 1.
///
/// It is drawn when a spool is opened and is not the kernel's boot id: while a disk fails, reports are sent from
/// memory, and a service that started again under the same id would give their sequences to other reports.
public struct BootID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Greater than that of the starts that the disk knew then; 0 if the disk could not be read. It orders the files.
    public let ordinal: UInt32
    /// A random number, which makes the id unique.
    public let nonce: UInt64

    public init(ordinal: UInt32, nonce: UInt64) {
        self.ordinal = ordinal
        self.nonce = nonce
    }

    /// - Parameter text: as `description` has it: `0000000a-0123456789abcdef`.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let ordinal = UInt32(parts[0], radix: 16), let nonce = UInt64(parts[1], radix: 16)
        else {
            return nil
        }
        self.init(ordinal: ordinal, nonce: nonce)
        guard description == text else { return nil }
    }

    public var description: String { "\(ordinal.hexadecimal)-\(nonce.hexadecimal)" }

    public static func < (left: BootID, right: BootID) -> Bool {
        (left.ordinal, left.nonce) < (right.ordinal, right.nonce)
    }
}

extension FixedWidthInteger where Self: UnsignedInteger {
    /// Every hexadecimal digit, with zeros in front.
    var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: Self.bitWidth / 4 - digits.count) + digits
    }
}
