// SPDX-License-Identifier: Apache-2.0
import Bytes
import Commands
import Hosting
import Shapes
import Venue
import Web

struct ShowHTTP: Command {
    static let about = About(
        "http-status", "Show where HTTP is served, and the certificate that callers see",
        help: """
            Whoever comes by TLS compares the fingerprint, or pins it: publicKeyPin is what curl takes as --pinnedpubkey.
            """, example: "")
    static let shape = Shape<Self>()

    func run(on endpoint: Endpoint) throws(Status) -> HTTPReport { HTTPReport(endpoint) }
}

struct HTTPReport: Answer {
    struct Row: Answer {
        let address: String
        let port: Int
        let isSecure: Bool

        static let shape = Shape<Self>([
            .value("address", \.address, .text, "numeric; 0.0.0.0 and :: for all"),
            .value("port", \.port, .count, "TCP port"),
            .value("isSecure", \.isSecure, .boolean, "whether by TLS"),
        ])
    }

    let places: [Row]
    let names: [String]
    let fingerprint: String
    let publicKeyPin: String
    let isOwn: Bool
    let validFrom: String
    let validUntil: String
    let isExpired: Bool?
    let problem: String?
    let connections: Int
    let webSockets: Int

    init(_ endpoint: Endpoint) {
        places = zip(endpoint.plan.places, endpoint.ports()).flatMap { place, port in
            place.addresses.map { Row(address: $0, port: Int(port), isSecure: place.isSecure) }
        }
        names = endpoint.plan.names.sorted()
        let certificate = endpoint.certificate
        fingerprint = certificate.fingerprint
        publicKeyPin = "sha256//\(Base64.encode(certificate.publicKeyDigest))"
        isOwn = endpoint.isOwn
        validFrom = certificate.validFrom.description
        validUntil = certificate.validUntil.description
        isExpired = endpoint.isExpired
        problem = endpoint.problem
        connections = endpoint.plan.limits.connections
        webSockets = endpoint.plan.webSocketLimit
    }

    static let shape = Shape<Self>([
        .value("places", \.places, .list(of: .row), "where it listens"),
        .value("names", \.names, .list(of: .text), "by which callers may reach it, besides its addresses"),
        .value("fingerprint", \.fingerprint, .text, "SHA-256 of the certificate"),
        .value("publicKeyPin", \.publicKeyPin, .text, "SHA-256 of its public key, as curl --pinnedpubkey takes it"),
        .value("isOwn", \.isOwn, .boolean, "whether the box made it; else it is of the settings"),
        .value("validFrom", \.validFrom, .text, "of the certificate"),
        .value("validUntil", \.validUntil, .text, "of the certificate"),
        .unlessNil("isExpired", \.isExpired, .boolean, "absent while the clock is not set"),
        .unlessNil("problem", \.problem, .text, "why the box's own certificate is not kept; absent: it is"),
        .value("connections", \.connections, .count, "at a time"),
        .value("webSockets", \.webSockets, .count, "at a time, of the connections"),
    ])
}

struct CertificateMade: FeatureEvent {
    let fingerprint: String
    let why: String

    static let about = EventAbout(
        .service, "certificateMade", "The box made a certificate of its own; who pinned another has to pin this one.")
    static let shape = Shape<Self>([
        .value("fingerprint", \.fingerprint, .text, "SHA-256 of the certificate"),
        .value("why", \.why, .text, "what was wrong with the one before, or with keeping this one; empty: nothing"),
    ])
}

struct CertificateExpired: FeatureEvent {
    let fingerprint: String
    let until: String

    static let about = EventAbout(
        .service, "certificateExpired", "The certificate of http.certificate has expired; it is served all the same.")
    static let shape = Shape<Self>([
        .value("fingerprint", \.fingerprint, .text, "SHA-256 of the certificate"),
        .value("until", \.until, .text, "the end of its validity"),
    ])
}
