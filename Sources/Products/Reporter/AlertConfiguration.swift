// SPDX-License-Identifier: Apache-2.0
import Alerting
import JSON
import Provisioning
import Shapes
import Time
import Venue

/// The part of the configuration that says when somebody is told of boxes, and who.
public struct AlertConfiguration: Record, Equatable {
    /// A server that gets each alert as the body of a POST.
    public struct Webhook: Record, Equatable {
        public var url: String?
        /// Sent as `Authorization: Bearer`.
        public var token: String?
        /// Of an HMAC-SHA-256 of the body.
        public var secret: String?
        public var authorities: String?
        public var pinnedKey: String?

        public init() {}

        private static let urlFormat = TextFormat(
            "a URL like https://venue.example/alerts without user and fragment",
            schema: ["maxLength": .integer(Int64(OrderServerURL.mostOctets))]
        ) { !$0.contains("{") && OrderServerURL($0) != nil }

        private static let secretFormat = TextFormat(
            "a secret of 24 to 512 characters without spaces", schema: ["pattern": "^[!-~]{24,512}$"]
        ) { text in (24...512).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7e).contains($0) } }

        public static let shape = Shape<Self>([
            .member("url", \.url, .absentOr(.formatted(urlFormat)), "Where alerts are posted; absent: nowhere."),
            .member(
                "token", \.token, .absentOr(.formatted(.bearerToken)),
                "Sent there as Authorization: Bearer, by https or to a loopback address alone."),
            .member(
                "secret", \.secret, .absentOr(.formatted(secretFormat)), "Signs the body: HMAC-SHA-256, in a header."),
            .member(
                "authorities", \.authorities, .absentOr(.formatted(.certificates)),
                "Certificates in PEM of the authorities that vouch for it; absent: the system's."),
            .member(
                "pinnedKey", \.pinnedKey, .absentOr(.formatted(.keyDigest)), "The one key that it may have."),
        ])
    }

    /// A collector of logs.
    public struct Syslog: Record, Equatable {
        public var collector: String?
        public var port: UInt16 = 514

        public init() {}

        private static let address = TextFormat(
            "the numeric address of a host", schema: ["anyOf": [["format": "ipv4"], ["format": "ipv6"]]]
        ) { NumericAddress($0)?.isUnicast == true }

        public static let shape = Shape<Self>([
            .member("collector", \.collector, .absentOr(.formatted(address)), "Its address; absent: none."),
            .member("port", \.port, .integer(1...65_535), "Its UDP port."),
        ])
    }

    public var rules: [AlertRule] = []
    public var mostAtOnce = 20
    public var gatherS: Int64 = 15
    public var webhook = Webhook()
    public var syslog = Syslog()

    public init() {}

    static let secrets = ["/alerts/webhook/token", "/alerts/webhook/secret"]

    public static let shape = Shape<Self>([
        .member("rules", \.rules, .list(of: .record, 0...AlertRule.most), "What boxes are to be like."),
        .member(
            "mostAtOnce", \.mostAtOnce, .integer(1...10_000),
            "How many boxes that become bad at once still get an alert each; more get one together."),
        .member("gatherS", \.gatherS, .integer(0...300), "How long boxes that become bad wait for others."),
        .group("webhook", \.webhook, "A server that gets each alert."),
        .group("syslog", \.syslog, "A collector that gets each alert as a datagram of RFC 5424."),
    ])

    /// What the shape does not say. Secrets stand in no problem.
    static func problems(of document: JSONValue?) -> [Problem] {
        guard let document, !document.isNull else { return [] }
        let read = Self(reading: document)
        var problems = AlertRule.problems(of: read.rules, at: "/alerts/rules")
        if read.webhook.token != nil, let text = read.webhook.url, let url = OrderServerURL(text), !url.isSecure,
            !url.isNear
        {
            problems.append(
                Problem(
                    path: "/alerts/webhook/url", value: .string(text), expectation: "https, since a token is sent there"
                ))
        }
        return problems
    }

    var limits: Alerting.Limits {
        var limits = Alerting.Limits()
        limits.mostAtOnce = mostAtOnce
        limits.gathering = .seconds(gatherS)
        return limits
    }
}
