// SPDX-License-Identifier: Apache-2.0

/// The direction in which a line reads.
public enum TextDirection: String, Hashable, Sendable, CaseIterable {
    case leftToRight, rightToLeft

    /// The direction of the first letter that has one (UAX #9, P2 and P3); left to right if none has.
    public init(of text: String) {
        for scalar in text.unicodeScalars {
            if Self.isRightToLeft(scalar) {
                self = .rightToLeft
                return
            }
            if scalar.properties.isAlphabetic {
                self = .leftToRight
                return
            }
        }
        self = .leftToRight
    }

    /// Tells letters of class R or AL by their blocks: Hebrew to Arabic Extended-A, their presentation forms, and the
    /// scripts of plane 1.
    private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0590...0x08ff, 0xfb1d...0xfdff, 0xfe70...0xfefc, 0x10800...0x10fff, 0x1e800...0x1efff:
            scalar.properties.isAlphabetic
        default: false
        }
    }
}
