// SPDX-License-Identifier: Apache-2.0
import Certificates
import Commands
import Hosting
import JSON
import Shapes
import Venue

/// Where the API and the page are served, to whom, and how much of it.
public struct HTTPSettings: SettingsSection {
    public static let name = "http"
    public static let help = """
        The HTTP API and the live page: on 127.0.0.1 and ::1, and beyond this machine by TLS alone, where `listen` says so.
        """
    public static let isLocalOnly = true

    public var isEnabled = true
    public var port = 8_080
    public var role = Role.operator
    var tls = false
    var tlsPort = 8_443
    var listen: [String] = []
    var names: [String] = []
    /// PEM; empty for the box's own certificate.
    var certificate = ""
    /// PEM; empty for the box's own key.
    var key = ""
    var connections = 320
    var connectionsPerAddress = 64
    var idleS = 30
    var bodyKiB = 416
    public var headerKiB = 8

    public init() {}

    /// The most that `connections` may be.
    public static let mostConnections = 4_096
    /// Connections that are left for callers of this machine.
    static let reservedConnections = 8

    public static let shape = Shape<Self>(ofPlaces + ofCertificate + ofLimits)

    private static let ofPlaces: [Field<Self>] = [
        .setting(
            "isEnabled", \.isEnabled, .boolean, .interruptsControl, "Whether the API and the page are served."),
        .setting(
            "port", \.port, .integer(0...65_535), .interruptsControl,
            "TCP port of HTTP without TLS, on this machine alone; 0 takes a free one, which the command status shows."),
        .setting(
            "role", \.role, .choice, .needsRestart,
            "Role of HTTP clients of this machine that show no token, if access.loopbackRole is http."),
        .setting(
            "tls", \.tls, .boolean, .interruptsControl,
            "Whether HTTP is served by TLS, on this machine and on `listen`."),
        .setting(
            "tlsPort", \.tlsPort, .integer(0...65_535), .interruptsControl,
            "TCP port of HTTP by TLS; 0 takes a free one, which http-status shows."),
        .setting(
            "listen", \.listen, .list(of: .formatted(.listenedPlace), 0...16), .interruptsControl,
            """
            Where callers beyond this machine are served, by TLS alone: addresses of the box (0.0.0.0 and :: for all), or \
            interfaces, for the addresses that they have. None: nowhere.
            """),
        .setting(
            "names", \.names, .list(of: .formatted(.hostName), 0...16), .atOnce,
            "Names by which callers reach the box, besides its addresses: no other Host is answered."),
    ]

    private static let ofCertificate: [Field<Self>] = [
        .setting(
            "certificate", \.certificate, .lines(0...ServerCertificate.longestText), .interruptsControl,
            """
            PEM of the certificate that callers see, behind it those up to its authority; \"\": the box's own, which callers \
            pin by its fingerprint.
            """),
        .setting(
            "key", \.key, .lines(0...ServerCertificate.longestText), .interruptsControl, isSecret: true,
            "PEM of the private key of `certificate`, without a passphrase; \"\": the box's own."),
    ]

    private static let ofLimits: [Field<Self>] = [
        .setting(
            "connections", \.connections, .integer(16...mostConnections), .atOnce,
            """
            Connections at a time; callers beyond it are answered with 503. Four fifths of them may be WebSockets, and \
            \(reservedConnections) are left for callers of this machine.
            """),
        .setting(
            "connectionsPerAddress", \.connectionsPerAddress, .integer(1...mostConnections), .atOnce,
            "Connections at a time from one address beyond this machine."),
        .setting(
            "idleS", \.idleS, .integer(1...3_600), .atOnce,
            "Seconds for which a connection stays open without a request."),
        .setting("bodyKiB", \.bodyKiB, .integer(1...416), .atOnce, "The longest body of a request."),
        .setting(
            "headerKiB", \.headerKiB, .integer(4...32), .needsRestart, "The longest line and fields of a request."),
    ]

    public var problems: [Problem] {
        var problems: [Problem] = []
        func refuse(_ path: String, _ value: JSONValue?, _ expectation: String) {
            problems.append(Problem(path: path, value: value, expectation: expectation))
        }
        if !listen.isEmpty, !tls {
            refuse("/tls", false, "true, as http.listen has places beyond this machine, which get TLS alone")
        }
        for (index, place) in listen.enumerated() where listen.firstIndex(of: place) != index {
            refuse("/listen/\(index)", .string(place), "a place that is not listed already")
        }
        if tls, port == tlsPort, port != 0 {
            refuse("/tlsPort", .integer(Int64(tlsPort)), "another port than http.port (\(port))")
        }
        if certificate.isEmpty != key.isEmpty {
            // The secret is not shown.
            refuse(
                certificate.isEmpty ? "/certificate" : "/key", nil,
                "PEM, as \(certificate.isEmpty ? "http.key" : "http.certificate") is set; or \"\" for both")
        } else {
            do throws(CertificateError) {
                _ = try serverCertificate()
            } catch {
                refuse(error.isOfKey ? "/key" : "/certificate", nil, error.expectation)
            }
        }
        return problems
    }

    /// nil for the box's own.
    func serverCertificate() throws(CertificateError) -> ServerCertificate? {
        certificate.isEmpty && key.isEmpty ? nil : try ServerCertificate(certificate: certificate, key: key)
    }
}

extension TextFormat {
    static let listenedPlace = TextFormat(
        "a numeric address of the box, or the name of a network interface (1...15 characters, no '/')",
        schema: ["pattern": "^[^ /\\u0000-\\u0020\\u007f-\\uffff]{1,64}$"]
    ) { text in
        NumericAddress(text) != nil
            || (1...15).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != 0x2f }
                && !text.utf8.contains(UInt8(ascii: ":"))
    }

    static let hostName = TextFormat(
        "a host name in lower case like box.example",
        schema: ["pattern": "^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$"]
    ) { text in
        func isEnd(_ octet: UInt8?) -> Bool {
            octet.map { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) } ?? false
        }
        return text.utf8.count <= 253 && isEnd(text.utf8.first) && isEnd(text.utf8.last)
            && text.utf8.allSatisfy { isEnd($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
    }
}
