// SPDX-License-Identifier: Apache-2.0
import Time

/// A requested mode of a screen: "1920x1080@50", "1920x1080", "@50", or "preferred".
public enum ModePin: Hashable, Sendable, CustomStringConvertible {
    /// The mode that the screen marks as preferred.
    case preferred
    /// A size in pixels and a frame rate; nil if any rate will do.
    case size(PixelSize, FrameRate?)
    case rate(FrameRate)

    /// The permitted width and height, pixels.
    public static let sides = 64...16_384

    /// The accepted forms in words, for messages.
    public static var expectation: String { "a mode like 1920x1080@50, 1920x1080 or @59.94, or preferred" }

    /// The accepted forms as a regular expression. It also matches some numbers that are too large.
    public static let pattern =
        #"preferred|[1-9][0-9]{1,4}x[1-9][0-9]{1,4}(@[1-9][0-9]{0,2}(\.[0-9]{1,3})?)?|@[1-9][0-9]{0,2}(\.[0-9]{1,3})?"#

    public init?(_ text: some StringProtocol) {
        guard text != "preferred" else {
            self = .preferred
            return
        }
        let parts = String(text).split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first else { return nil }
        let rate = parts.count == 2 ? FrameRate(parts[1]) : nil
        guard parts.count == 1 || rate != nil else { return nil }
        if first.isEmpty, let rate {
            self = .rate(rate)
            return
        }
        let sides = first.split(separator: "x", omittingEmptySubsequences: false).map(Self.side)
        guard sides.count == 2, let width = sides[0], let height = sides[1] else { return nil }
        self = .size(PixelSize(width: width, height: height), rate)
    }

    private static func side(_ text: Substring) -> Int? {
        guard (2...5).contains(text.utf8.count), text.utf8.first != UInt8(ascii: "0"),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let side = Int(text), sides.contains(side)
        else { return nil }
        return side
    }

    public var description: String {
        switch self {
        case .preferred: "preferred"
        case .size(let size, let rate): rate.map { "\(size)@\($0)" } ?? "\(size)"
        case .rate(let rate): "@\(rate)"
        }
    }
}
