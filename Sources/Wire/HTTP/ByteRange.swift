// SPDX-License-Identifier: Apache-2.0

/// The field `Range` of a request, of one range of octets (RFC 9110 §14.1.2).
public enum ByteRange: Equatable, Sendable {
    /// There is no field, or one that is to be passed over: another unit, several ranges, or no range at all.
    case whole
    case part(Range<Int>)
    /// The range begins behind the end.
    case notThere

    /// - Parameter count: octets of the whole.
    public init(_ field: String?, of count: Int) {
        self = .whole
        guard let field, field.utf8.count <= 64, field.lowercased().hasPrefix("bytes=") else { return }
        let ends = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return }
        let numbers = ends.map { Self.number($0) }
        switch (numbers[0], numbers[1]) {
        case (let first?, let last?) where last >= first:
            self = first < count ? .part(first..<min(last, count - 1) + 1) : .notThere
        case (let first?, nil) where ends[1].isEmpty: self = first < count ? .part(first..<count) : .notThere
        case (nil, let last?) where ends[0].isEmpty:
            self = last > 0 && count > 0 ? .part(max(0, count - last)..<count) : .notThere
        default: break
        }
    }

    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
}
