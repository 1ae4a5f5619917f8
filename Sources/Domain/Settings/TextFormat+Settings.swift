// SPDX-License-Identifier: Apache-2.0
import JSON
import Scene
import Shapes
import Venue

extension TextFormat {
    /// A numeric IPv4 or IPv6 address.
    public static let address = TextFormat(
        "a numeric IPv4 or IPv6 address", schema: ["anyOf": [["format": "ipv4"], ["format": "ipv6"]]]
    ) { NumericAddress($0) != nil }

    /// An absolute path, or an empty text.
    public static let path = TextFormat("an absolute path or \"\"", schema: ["pattern": "^(/.*)?$"]) { text in
        text.isEmpty || isAbsolutePath(text)
    }

    /// A colour of sRGB.
    public static let colour = TextFormat(
        "a colour like #0052a5", schema: ["pattern": "^#[0-9A-Fa-f]{6}$"]
    ) { RGBColour($0) != nil }

    /// The absolute path of a WAV file, or an empty text. The service overwrites the file, so it can be no other kind.
    public static let waveFile = TextFormat(
        "an absolute path that ends with .wav and has no '..', or \"\"",
        schema: ["pattern": #"^(/(?!(.*/)?\.\./).*\.wav)?$"#]
    ) { text in
        text.isEmpty
            || isAbsolutePath(text) && text.hasSuffix(".wav") && !text.split(separator: "/").contains("..")
    }

    /// The name of a network interface, or an empty text.
    public static let interface = TextFormat(
        "the name of a network interface (1...15 characters, no '/') or \"\"",
        schema: ["pattern": "^[!-.0-~]{0,15}$"]
    ) { text in text.utf8.count <= 15 && text.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != 0x2f } }

    /// Six pairs of hexadecimal digits separated by ':' or '-'.
    public static let bssid = TextFormat(
        "six octets like 00:1b:2c:3d:4e:5f",
        schema: ["pattern": "^[0-9A-Fa-f]{2}([:-][0-9A-Fa-f]{2}){5}$"]
    ) { isBSSID($0) }

    /// A time zone name of tzdata, like Europe/Berlin, or an empty text.
    public static let timeZone = TextFormat(
        "the name of a time zone like Europe/Berlin or \"\"",
        schema: ["pattern": "^([A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+){0,3})?$", "maxLength": 64]
    ) { $0.isEmpty || isTimeZone($0) }

    /// A screen's mode, or an empty text.
    public static let displayMode = TextFormat(
        "\(ModePin.expectation), or \"\"", schema: ["pattern": .string("^(\(ModePin.pattern))?$")]
    ) { $0.isEmpty || ModePin($0) != nil }

    /// A connector as the kernel names it, or an empty text.
    public static let connector = TextFormat(
        "the name of a connector like HDMI-A-1 or \"\"",
        schema: ["pattern": "^([A-Za-z][A-Za-z-]{0,15}-[1-9][0-9]{0,2})?$"]
    ) { $0.isEmpty || isConnector($0) }

    private static func isAbsolutePath(_ text: String) -> Bool {
        text.utf8.first == UInt8(ascii: "/") && !text.utf8.contains(0)
    }

    private static func isBSSID(_ text: String) -> Bool {
        let octets = Array(text.utf8)
        return octets.count == 17
            && octets.indices.allSatisfy { index in
                index % 3 == 2
                    ? octets[index] == UInt8(ascii: ":") || octets[index] == UInt8(ascii: "-")
                    : octets[index] < 0x80 && Character(Unicode.Scalar(octets[index])).isHexDigit
            }
    }

    /// Connector type and index among its kind, like HDMI-A-1.
    private static func isConnector(_ text: String) -> Bool {
        guard let dash = text.utf8.lastIndex(of: UInt8(ascii: "-")) else { return false }
        let (kind, number) = (text.utf8[..<dash], text.utf8[text.utf8.index(after: dash)...])
        return (1...16).contains(kind.count) && (1...3).contains(number.count)
            && kind.first != UInt8(ascii: "-") && number.first != UInt8(ascii: "0")
            && kind.allSatisfy { (0x61...0x7a).contains($0 | 0x20) || $0 == UInt8(ascii: "-") }
            && number.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// One to four names of letters, digits, '_', '+' and '-', so that it cannot lead out of the folder of zones.
    private static func isTimeZone(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return text.utf8.count <= 64 && parts.count <= 4
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.allSatisfy { octet in
                        (0x30...0x39).contains(octet) || (0x61...0x7a).contains(octet | 0x20) || octet == 0x5f
                            || octet == 0x2b || octet == 0x2d
                    }
            }
    }
}
