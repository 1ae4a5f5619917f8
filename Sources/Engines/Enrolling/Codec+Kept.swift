// SPDX-License-Identifier: Apache-2.0
import Bytes
import Shapes
import Signing
import Time

/// How records of the store have what is no plain text.
extension Codec where Value == WallTime {
    static var instant: Codec {
        .formatted(.instant, parse: { WallTime(rfc3339: $0) }, text: { $0.description })
    }
}

extension Codec where Value == SecretDigest {
    private static var format: TextFormat {
        TextFormat("a digest", schema: [:]) { Base64.decode($0)?.count == SecretDigest.octetCount }
    }

    static var digest: Codec {
        .formatted(
            format, parse: { text in Base64.decode(text).flatMap { SecretDigest(octets: $0) } },
            text: { Base64.encode($0.octets) })
    }
}
