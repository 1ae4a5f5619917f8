// SPDX-License-Identifier: Apache-2.0
import Forwarding
import Hosting
import JSON
import Provisioning
import Shapes
import Time
import Transfer

/// Where the box tells how it fares, and how much of that it keeps until it is heard.
struct ReportsSettings: SettingsSection, Equatable {
    static let name = "reports"
    static let help = "A reporter that is told how the box, its radio and its pictures fare. See config/REPORTS.md."
    /// Who could change the URL from afar would be sent the token.
    static let isLocalOnly = true

    /// nil if the box reports to nobody. Then it keeps no reports.
    var url: String?
    var token: String?
    /// nil: a box that enrols waits for an approval.
    var enrol: String?
    var intervalS = 10
    var authorities: String?
    var pinnedKey: String?
    var dimensions: [String] = []
    var spoolMB = 64
    var spoolHours = 72

    static let shape = Shape<Self>([
        .setting(
            "url", \.url, .emptyOr(.formatted(.reportServer)), .atOnce,
            "Where the box sends its reports, {box} in it being its id; \"\": nowhere, and none is kept."),
        .setting(
            "token", \.token, .emptyOr(.formatted(.bearerToken)), .atOnce, isSecret: true,
            "Sent there as Authorization: Bearer, by https or to a loopback address alone."),
        .setting(
            "enrol", \.enrol, .emptyOr(.formatted(.bearerToken)), .atOnce, isSecret: true,
            "Token with which the box enrols with its reporter, if token is \"\"; \"\": somebody has to approve it."),
        .setting(
            "intervalS", \.intervalS, .integer(1...3_600), .atOnce,
            "Time from one report of the box's state to the next."),
        .setting(
            "authorities", \.authorities, .emptyOr(.formatted(.certificates)), .atOnce,
            "Certificates in PEM of the authorities that vouch for the reporter; \"\": the system's."),
        .setting(
            "pinnedKey", \.pinnedKey, .emptyOr(.formatted(.keyDigest)), .atOnce,
            "The one key that the reporter may have: sha256// and the digest in base64; \"\": any that is vouched for."),
        .setting(
            "dimensions", \.dimensions, .list(of: .text(0...256), 0...3), .atOnce,
            "What the venue sorts its boxes by, in every report: suite, stand, gate. Blanks at both ends are left out."),
        .setting(
            "spoolMB", \.spoolMB, .integer(4...4_096), .atOnce,
            "Megabytes of reports that wait on the disk at most; the oldest are given up."),
        .setting(
            "spoolHours", \.spoolHours, .integer(1...720), .atOnce,
            "How long a report waits on the disk at most before it is given up."),
    ])

    var problems: [Problem] {
        guard token ?? enrol != nil, let url, let server, !server.isSecure, !server.isNear else { return [] }
        return [Problem(path: "/url", value: .string(url), expectation: "https, since a token is sent there")]
    }

    var server: OrderServerURL? { url.flatMap { OrderServerURL($0) } }

    /// Who is believed to be the reporter.
    var trust: TransferRequest.Trust {
        pinnedKey.map { .key($0) } ?? authorities.map { .authorities($0) } ?? .system
    }

    /// Where a box's reports go; nil if it reports to nobody.
    /// - Parameter bearer: sent as the token; nil: none is sent.
    func upload(of box: String, bearer: String?) -> ReportUpload.Server? {
        server.map { .init(url: $0.url(of: box), token: bearer, trust: trust, mayBeNear: $0.isNear) }
    }

    var interval: Nanoseconds { .seconds(Int64(intervalS)) }

    var spoolOptions: SpoolOptions {
        var options = SpoolOptions()
        options.mostOctets = spoolMB << 20
        options.longestAge = .seconds(Int64(spoolHours) * 3_600)
        return options
    }

    /// Whether the reporter, or the way to it, is another one.
    func isElsewhere(than other: Self) -> Bool {
        (url, token, enrol, authorities, pinnedKey)
            != (other.url, other.token, other.enrol, other.authorities, other.pinnedKey)
    }

    /// As reports have them.
    var trimmedDimensions: [String] {
        dimensions.map { text in
            let rest = text.unicodeScalars.drop { $0.properties.isWhitespace }.reversed()
            return String(String.UnicodeScalarView(rest.drop { $0.properties.isWhitespace }.reversed()))
        }
    }
}
