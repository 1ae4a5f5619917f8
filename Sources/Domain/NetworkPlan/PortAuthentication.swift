// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes

/// How the box proves to a switch or an access point who it is (IEEE 802.1X).
public struct PortAuthentication: Record, Equatable {
    public enum Method: String, Sendable, CaseIterable { case none, tls, peap }

    public var method = Method.none
    /// The name that the box has for the server of the accounts.
    public var identity = ""
    /// The name that is said before the server is known to be the right one; empty for `identity`.
    public var outerIdentity = ""
    public var password = ""
    /// Whom the server's certificate has to be from.
    public var authority = CertificateText()
    /// The domain for which the server's certificate has to be; nil for any that the authority signs.
    public var serverName: HostName?
    public var certificate = CertificateText()
    public var privateKey = PrivateKeyText()

    public init() {}

    public static let shape = Shape<Self>([
        .setting(
            "method", \.method, .choice, .interruptsPicture,
            "none; tls: by a certificate of the box (EAP-TLS); peap: by a name and a password (PEAP, MSCHAPv2)."),
        .setting("identity", \.identity, .text(0...253), .interruptsPicture, "Name of the box's account."),
        .setting(
            "anonymousIdentity", \.outerIdentity, .text(0...253), .interruptsPicture,
            "Name that everybody on the wire may read; \"\": identity."),
        .setting(
            "password", \.password, .text(0...256), .interruptsPicture, isSecret: true,
            "Password of the account; for tls: of an encrypted clientKey."),
        .setting(
            "caCertificate", \.authority, .certificates, .interruptsPicture,
            "Certificates (PEM), one of which has signed that of the server; others are not believed."),
        .setting(
            "serverName", \.serverName, .optionalHostName, .interruptsPicture,
            "Domain that the server's certificate has to be for; \"\": any that caCertificate signs."),
        .setting(
            "clientCertificate", \.certificate, .certificates, .interruptsPicture,
            "The box's certificate (PEM), and those between it and the authority."),
        .setting(
            "clientKey", \.privateKey, .privateKey, .interruptsPicture, isSecret: true,
            "The private key (PEM) of clientCertificate."),
    ])

    var problems: [Problem] {
        var problems: [Problem] = []
        func need(_ name: String, _ isThere: Bool, _ what: String) {
            if !isThere {
                problems.append(
                    Problem(path: "/\(name)", expectation: "\(what), because method is \(method.rawValue)"))
            }
        }
        guard method != .none else { return [] }
        need("identity", !identity.isEmpty, "the name of the account")
        need("caCertificate", !authority.isEmpty, "a certificate")
        if method == .peap { need("password", !password.isEmpty, "the password of the account") }
        if method == .tls {
            need("clientCertificate", !certificate.isEmpty, "a certificate")
            need("clientKey", !privateKey.isEmpty, "a private key")
        }
        return problems
    }
}
