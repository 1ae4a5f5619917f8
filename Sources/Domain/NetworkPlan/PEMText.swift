// SPDX-License-Identifier: Apache-2.0

/// Blocks of PEM (RFC 7468) and nothing else: no comments, no headers, no empty lines.
enum PEMText {
    static let mostOctets = 32_768

    /// The text with one line feed behind each line; nil if it has something else than blocks of these labels.
    /// - Parameter count: how many blocks there may be.
    static func canonical(_ text: String, labels: [String], count: ClosedRange<Int>) -> String? {
        guard text.utf8.count <= mostOctets else { return nil }
        var lines = text.utf8.split(separator: 0x0a, omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        var (blocks, body) = (0, 0)
        var label: String?
        for line in lines {
            if let open = label {
                if line.elementsEqual("-----END \(open)-----".utf8) {
                    guard body > 0 else { return nil }
                    label = nil
                    blocks += 1
                } else {
                    guard (1...76).contains(line.count), line.allSatisfy(isBase64) else { return nil }
                    body += 1
                }
            } else {
                guard let begun = labels.first(where: { line.elementsEqual("-----BEGIN \($0)-----".utf8) }) else {
                    return nil
                }
                (label, body) = (begun, 0)
            }
        }
        guard label == nil, count.contains(blocks) else { return nil }
        return lines.map { String(Substring($0)) + "\n" }.joined()
    }

    private static func isBase64(_ octet: UInt8) -> Bool {
        (0x30...0x39).contains(octet) || (0x61...0x7a).contains(octet | 0x20) || octet == 0x2b || octet == 0x2f
            || octet == 0x3d
    }
}

/// Up to eight certificates in PEM; may be empty.
public struct CertificateText: Hashable, Sendable {
    public let text: String
    public var isEmpty: Bool { text.isEmpty }

    public init() { text = "" }

    public init?(_ text: String) {
        guard let text = PEMText.canonical(text, labels: ["CERTIFICATE"], count: 0...8) else { return nil }
        self.text = text
    }
}

/// A private key in PEM; may be empty. It has no description, because it is a secret.
public struct PrivateKeyText: Hashable, Sendable {
    public let text: String
    public var isEmpty: Bool { text.isEmpty }

    static let labels = ["PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY"]

    public init() { text = "" }

    public init?(_ text: String) {
        guard let text = PEMText.canonical(text, labels: Self.labels, count: 0...1) else { return nil }
        self.text = text
    }
}
