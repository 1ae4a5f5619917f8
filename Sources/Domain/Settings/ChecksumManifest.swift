// SPDX-License-Identifier: Apache-2.0

/// The image's checksum manifest of the boards' files: the digest of each, as `sha256sum` writes it. A file that it
/// does not name is not part of the image.
public struct ChecksumManifest: Equatable, Sendable {
    public struct Entry: Equatable, Sendable {
        public let name: String
        /// 64 hexadecimal digits, lower case.
        public let digest: String
    }

    public let entries: [Entry]

    public static let mostEntries = 64

    /// - Returns: nil if `text` is not such a manifest.
    public init?(parsing text: [UInt8]) {
        var entries: [Entry] = []
        for line in text.split(separator: UInt8(ascii: "\n")) {
            // A line holds the digest, two spaces and the name.
            guard entries.count < Self.mostEntries, line.count > 66,
                line.dropFirst(64).prefix(2).elementsEqual("  ".utf8)
            else { return nil }
            let (digest, name) = (line.prefix(64), line.dropFirst(66))
            guard digest.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }),
                name.count <= 64, name.allSatisfy(Self.isOfName), name.first != UInt8(ascii: ".")
            else { return nil }
            entries.append(
                Entry(name: String(decoding: name, as: UTF8.self), digest: String(decoding: digest, as: UTF8.self)))
        }
        self.entries = entries
    }

    /// Letters, digits, '-' and '.' only, so that a name cannot lead out of its folder.
    private static func isOfName(_ octet: UInt8) -> Bool {
        (0x30...0x39).contains(octet) || (0x61...0x7a).contains(octet) || octet == UInt8(ascii: "-")
            || octet == UInt8(ascii: ".")
    }
}
