// SPDX-License-Identifier: Apache-2.0

/// Names a segment by its boot and by the sequence of the first record that was written to it:
/// `0000000a-0123456789abcdef-0000000000000001.spool`. Names of one disk sort by age.
struct SegmentName: Hashable, Comparable, CustomStringConvertible {
    private static let suffix = ".spool"

    let boot: BootID
    let first: UInt64

    init(_ boot: BootID, _ first: UInt64) {
        self.boot = boot
        self.first = first
    }

    /// nil for every other file.
    init?(_ name: String) {
        guard name.hasSuffix(Self.suffix) else { return nil }
        let text = name.dropLast(Self.suffix.count)
        guard let dash = text.lastIndex(of: "-"), let boot = BootID(text[..<dash]),
            let first = UInt64(text[text.index(after: dash)...], radix: 16), SpoolRecord.sequences.contains(first)
        else { return nil }
        self.init(boot, first)
        guard description == name else { return nil }
    }

    var description: String { "\(boot)-\(first.hexadecimal)\(Self.suffix)" }

    static func < (left: SegmentName, right: SegmentName) -> Bool {
        (left.boot, left.first) < (right.boot, right.first)
    }
}
