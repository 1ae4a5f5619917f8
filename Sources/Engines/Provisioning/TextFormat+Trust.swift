// SPDX-License-Identifier: Apache-2.0
import Bytes
import Shapes

/// How a box shows who it is to a server, and whom it believes to be that server.
extension TextFormat {
    /// What authorises a box at a server; empty: nothing.
    public static let bearerToken = TextFormat(
        "\"\", or up to 512 characters of A-Z a-z 0-9 - . _ ~ + / =", schema: ["pattern": "^[A-Za-z0-9._~+/=-]{0,512}$"]
    ) { text in
        text.utf8.count <= 512
            && text.utf8.allSatisfy { octet in
                switch octet {
                case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
                default: "._~+/=-".utf8.contains(octet)
                }
            }
    }

    /// Certificates of the authorities that vouch for a server; empty for those of the system. Only their frame is checked
    /// here; libcurl reads them.
    public static let certificates = TextFormat(
        "\"\", or certificates in PEM of up to 65536 characters",
        schema: ["maxLength": 65_536, "pattern": "^(-----BEGIN CERTIFICATE-----[\\n -~]*)?$"]
    ) { text in
        text.isEmpty
            || text.utf8.count <= 65_536 && text.hasPrefix("-----BEGIN CERTIFICATE-----")
                && text.utf8.allSatisfy { $0 == 0x0a || (0x20...0x7e).contains($0) }
    }

    /// The digest of the one key that a server may have; empty if any key will do that an authority vouches for.
    public static let keyDigest = TextFormat(
        "\"\", or sha256// and 44 characters of base64",
        schema: ["pattern": "^(sha256//[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=)?$"]
    ) { text in
        text.isEmpty || text.hasPrefix("sha256//") && Base64.decode(String(text.dropFirst(8)))?.count == 32
    }
}
