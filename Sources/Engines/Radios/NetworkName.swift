// SPDX-License-Identifier: Apache-2.0

/// Names of networks (SSID) as text.
public enum NetworkName {
    /// - Returns: the name itself if it is UTF-8 without control characters; else as `iw` prints it, with `\x1b` for each
    ///   octet that is no visible ASCII character, is a backslash, or is a space at either end. nil if the network hides
    ///   its name.
    public static func text(_ octets: [UInt8]?) -> String? {
        guard let octets, octets.contains(where: { $0 != 0 }) else { return nil }
        if let text = String(validating: octets, as: UTF8.self), !text.unicodeScalars.contains(where: isControl) {
            return text
        }
        return octets.enumerated().map { index, octet in
            let isAtEnd = index == 0 || index == octets.count - 1
            return (0x21...0x7e).contains(octet) && octet != UInt8(ascii: "\\") || octet == 0x20 && !isAtEnd
                ? String(UnicodeScalar(octet)) : "\\x" + (octet < 16 ? "0" : "") + String(octet, radix: 16)
        }.joined()
    }

    private static func isControl(_ scalar: UnicodeScalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
