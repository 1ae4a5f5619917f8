// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes
import Venue

extension Codec where Value == NumericAddress {
    static var numericAddress: Codec {
        let format = TextFormat(
            "a numeric IPv4 or IPv6 address", schema: ["anyOf": [["format": "ipv4"], ["format": "ipv6"]]]
        ) { NumericAddress($0) != nil }
        return .formatted(format, parse: { NumericAddress($0) }, text: { $0.description })
    }
}

extension Codec where Value == AddressWithPrefix {
    static var addressWithPrefix: Codec {
        let format = TextFormat(
            "an address with the length of its network's prefix like 192.0.2.10/24",
            schema: ["pattern": "^[0-9A-Fa-f.:]{2,45}/[1-9][0-9]{0,2}$"]
        ) { AddressWithPrefix($0) != nil }
        return .formatted(format, parse: { AddressWithPrefix($0) }, text: { $0.description })
    }
}

extension Codec where Value == HostName {
    static var hostName: Codec {
        let format = TextFormat(
            "a name like ntp.venue.example, or a numeric address", schema: ["pattern": .string(hostPattern(1))]
        ) { HostName($0) != nil }
        return .formatted(format, parse: { HostName($0) }, text: { $0.description })
    }
}

/// What a schema can say of it.
private func hostPattern(_ least: Int) -> String { "^[0-9A-Za-z.:-]{\(least),253}$" }

extension Codec where Value == HostName? {
    static var optionalHostName: Codec {
        let format = TextFormat(
            "a name like radius.venue.example, or \"\"", schema: ["pattern": .string(hostPattern(0))]
        ) { $0.isEmpty || HostName($0) != nil }
        return .formatted(format, parse: { orNil($0, HostName.init) }, text: { $0?.description ?? "" })
    }
}

extension Codec where Value == InterfaceName? {
    static var interfaceName: Codec {
        let format = TextFormat(
            "the name of an interface (1...15 letters, digits, '.', '_' and '-'), or \"\"",
            schema: ["pattern": "^([A-Za-z0-9][A-Za-z0-9._-]{0,14})?$"]
        ) { $0.isEmpty || InterfaceName($0) != nil }
        return .formatted(format, parse: { orNil($0, InterfaceName.init) }, text: { $0?.description ?? "" })
    }
}

extension Codec where Value == NetworkName? {
    static var networkName: Codec {
        let format = TextFormat("a name of 1...32 octets, or \"\"", schema: ["maxLength": 32]) {
            $0.isEmpty || NetworkName($0) != nil
        }
        return .formatted(format, parse: { orNil($0, NetworkName.init) }, text: { $0?.description ?? "" })
    }
}

extension Codec where Value == WirelessKey? {
    static var wirelessKey: Codec {
        let format = TextFormat(
            "8...63 characters of ASCII, or 64 hexadecimal digits, or \"\"",
            schema: ["pattern": "^([ -~]{8,63}|[0-9A-Fa-f]{64})?$"]
        ) { $0.isEmpty || WirelessKey($0) != nil }
        return .formatted(format, parse: { orNil($0, WirelessKey.init) }, text: { $0?.text ?? "" })
    }
}

extension Codec where Value == CountryCode? {
    static var country: Codec {
        let format = TextFormat("a country like DE (ISO 3166-1), or \"\"", schema: ["pattern": "^([A-Z]{2})?$"]) {
            $0.isEmpty || CountryCode($0) != nil
        }
        return .formatted(format, parse: { orNil($0, CountryCode.init) }, text: { $0?.description ?? "" })
    }
}

extension Codec where Value == CertificateText {
    static var certificates: Codec {
        let format = TextFormat("up to 8 certificates in PEM, or \"\"", schema: pemSchema(["CERTIFICATE"])) {
            CertificateText($0) != nil
        }
        return .formatted(format, parse: { CertificateText($0) }, text: { $0.text })
    }
}

extension Codec where Value == PrivateKeyText {
    static var privateKey: Codec {
        let format = TextFormat("a private key in PEM, or \"\"", schema: pemSchema(PrivateKeyText.labels)) {
            PrivateKeyText($0) != nil
        }
        return .formatted(format, parse: { PrivateKeyText($0) }, text: { $0.text })
    }
}

private func pemSchema(_ labels: [String]) -> [String: JSONValue] {
    let label = "(" + labels.joined(separator: "|") + ")"
    return [
        "maxLength": .integer(Int64(PEMText.mostOctets)),
        "pattern": .string("^(-----BEGIN \(label)-----\\n([A-Za-z0-9+/=]{1,76}\\n)+-----END \(label)-----\\n?)*$"),
    ]
}

/// An empty text stands for nil.
private func orNil<Value>(_ text: String, _ parse: (String) -> Value?) -> Value?? {
    text.isEmpty ? .some(nil) : parse(text).map { .some($0) }
}
