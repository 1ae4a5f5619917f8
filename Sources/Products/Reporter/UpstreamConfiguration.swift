// SPDX-License-Identifier: Apache-2.0
import Forwarding
import JSON
import Provisioning
import Shapes
import Time
import Transfer

/// The reporter of a region that is told how this venue is. Its members are those of a box's `reports` settings.
public struct UpstreamConfiguration: Record, Equatable {
    /// Where to, `{box}` in it being `venue`.
    public var url = ""
    public var token: String?
    /// Id of this venue at the region.
    public var venue = ""
    public var intervalS: Int64 = 10
    public var authorities: String?
    public var pinnedKey: String?

    public init() {}

    public static let shape = Shape<Self>([
        .required(
            "url", \.url, .formatted(.reportServer), "Where the region takes reports, {box} in it being the venue."),
        .member("token", \.token, .emptyOr(.formatted(.bearerToken)), "Sent there as Authorization: Bearer."),
        .required("venue", \.venue, .text(1...64), "Id of this venue at the region."),
        .member("intervalS", \.intervalS, .integer(1...3_600), "From one telling to the next."),
        .member(
            "authorities", \.authorities, .emptyOr(.formatted(.certificates)),
            "Certificates in PEM of the authorities that vouch for the region; \"\": the system's."),
        .member(
            "pinnedKey", \.pinnedKey, .emptyOr(.formatted(.keyDigest)),
            "The one key that the region may have; \"\": any that is vouched for."),
    ])

    /// What no member alone shows.
    var problems: [Problem] {
        guard let server = OrderServerURL(url) else { return [Problem(path: "/url", expectation: "a URL")] }
        guard token == nil || server.isSecure || server.isNear else {
            return [Problem(path: "/url", value: .string(url), expectation: "https, since a token is sent there")]
        }
        guard url.contains("{box}") else {
            return [Problem(path: "/url", value: .string(url), expectation: "{box} in it, where the venue's id goes")]
        }
        return []
    }

    var interval: Nanoseconds { .seconds(intervalS) }

    /// nil if the URL is none.
    var server: ReportUpload.Server? {
        OrderServerURL(url).map { server in
            ReportUpload.Server(
                url: server.url(of: venue), token: token,
                trust: pinnedKey.map { .key($0) } ?? authorities.map { .authorities($0) } ?? .system,
                mayBeNear: server.isNear)
        }
    }
}
