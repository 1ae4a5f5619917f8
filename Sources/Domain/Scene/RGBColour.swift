// SPDX-License-Identifier: Apache-2.0

/// A colour of sRGB.
public struct RGBColour: Hashable, Sendable {
    public let red: UInt8
    public let green: UInt8
    public let blue: UInt8

    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// - Parameter text: `#RRGGBB`, hexadecimal digits.
    public init?(_ text: String) {
        let digits = text.utf8.dropFirst().compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard text.utf8.first == UInt8(ascii: "#"), text.utf8.count == 7, digits.count == 6 else { return nil }
        func octet(_ index: Int) -> UInt8 { UInt8(digits[index] << 4 | digits[index + 1]) }
        self.init(red: octet(0), green: octet(2), blue: octet(4))
    }

    /// `#rrggbb`.
    public var text: String {
        let digits = String(UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue), radix: 16)
        return "#" + String(repeating: "0", count: 6 - digits.utf8.count) + digits
    }

    public static let white = RGBColour(red: 255, green: 255, blue: 255)
    public static let black = RGBColour(red: 0, green: 0, blue: 0)

    /// What is seen where this colour lies over another.
    /// - Parameter opacity: 0 shows the other alone, 255 this one.
    public func over(_ other: RGBColour, opacity: UInt8) -> RGBColour {
        func mixed(_ upper: UInt8, _ lower: UInt8) -> UInt8 {
            let (upper, lower, share) = (Int(upper), Int(lower), Int(opacity))
            return UInt8((upper * share + lower * (255 - share) + 127) / 255)
        }
        return RGBColour(
            red: mixed(red, other.red), green: mixed(green, other.green), blue: mixed(blue, other.blue))
    }

    /// The relative luminance, 0 for black to 1 for white (WCAG 2.1, "relative luminance").
    public var luminance: Double {
        func linear(_ octet: UInt8) -> Double {
            let value = Double(octet) / 255
            return value <= 0.03928 ? value / 12.92 : Self.power((value + 0.055) / 1.055)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// The 2.4th power of a number between 0 and 1, to better than a millionth: no C library below this layer has one.
    private static func power(_ value: Double) -> Double {
        // value^2.4 = value^2 · (value^2)^(1/5); the fifth root by Newton's steps from above.
        let square = value * value
        var root = 1.0
        for _ in 0..<40 {
            let fourth = root * root * root * root
            root -= (fourth * root - square) / (5 * fourth)
        }
        return square * root
    }
}
