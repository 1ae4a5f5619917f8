// SPDX-License-Identifier: Apache-2.0
import Commands
import HTTP

/// What the reporter can be asked; `config/reporter.openapi.json` describes each.
enum ReporterRoute: String, CaseIterable {
    case order = "GET /v1/boxes/{box}/order"
    case report = "PUT /v1/boxes/{box}/report"
    case sendReports = "POST /v1/boxes/{box}/reports"
    case boxes = "GET /v1/boxes"
    case box = "GET /v1/boxes/{box}"
    case reports = "GET /v1/boxes/{box}/reports"
    case gaps = "GET /v1/boxes/{box}/gaps"
    case boxSums = "GET /v1/boxes/{box}/sums"
    case alerts = "GET /v1/alerts"
    case accessPoints = "GET /v1/accesspoints"
    case channels = "GET /v1/channels"
    case venues = "GET /v1/venues"
    case venueBoxes = "GET /v1/venues/{venue}/boxes"
    case venueAccessPoints = "GET /v1/venues/{venue}/accesspoints"
    case venueChannels = "GET /v1/venues/{venue}/channels"
    case rollouts = "GET /v1/rollouts"
    case begin = "POST /v1/rollouts"
    case stop = "DELETE /v1/rollouts"
    case rollout = "GET /v1/rollouts/{rollout}"
    case nonce = "GET /v1/nonce"
    case enrol = "POST /v1/enrolments"
    case enrolments = "GET /v1/enrolments"
    case decide = "POST /v1/enrolments/{enrolment}"
    case tokens = "GET /v1/enrolment-tokens"
    case makeToken = "POST /v1/enrolment-tokens"
    case deleteToken = "DELETE /v1/enrolment-tokens/{token}"
    case rotate = "POST /v1/boxes/{box}/credential"
    case revoke = "DELETE /v1/boxes/{box}/credential"
    case forgetClones = "DELETE /v1/boxes/{box}/clones"
    case replace = "POST /v1/replacements"
    case metrics = "GET /metrics"
    case health = "GET /health"

    /// Whose token it takes: that of a box, that of a person with this role or a higher one, or that of a collector.
    enum Access: String {
        case box, viewer, `operator`, administrator, metrics, anybody

        /// nil: it is not for people.
        var role: Role? { Role(rawValue: rawValue) }
    }

    var access: Access {
        switch self {
        case .order, .report, .sendReports: .box
        case .metrics: .metrics
        // Boxes that enrol prove who they are by what they send.
        case .health, .nonce, .enrol, .rotate: .anybody
        case .begin, .stop, .decide, .tokens, .makeToken, .deleteToken, .forgetClones, .replace: .operator
        case .revoke: .administrator
        default: .viewer
        }
    }

    /// Names of what may be in the query.
    var parameters: [String] {
        switch self {
        case .order: ["wait"]
        case .boxes, .enrolments, .venues, .venueBoxes: ["after", "limit"]
        case .revoke: ["why"]
        case .reports: ["from", "to", "after", "limit", "format"]
        case .boxSums: ["from", "to"]
        case .alerts: ["state", "after", "limit"]
        case .accessPoints, .channels, .venueAccessPoints, .venueChannels: ["from", "to", "limit"]
        default: []
        }
    }

    var method: HTTPMethod {
        switch self {
        case .report: .put
        case .sendReports, .begin, .enrol, .decide, .makeToken, .rotate, .replace: .post
        case .stop, .deleteToken, .revoke, .forgetClones: .delete
        default: .get
        }
    }

    var path: String { String(rawValue[rawValue.index(after: rawValue.firstIndex(of: " ") ?? rawValue.startIndex)...]) }

    private static let segments = Dictionary(
        uniqueKeysWithValues: allCases.map { ($0, $0.path.split(separator: "/").map(String.init)) })

    /// The routes of a path, one for each method that it takes, and the variable part of the path.
    static func of(path: String) -> (routes: [ReporterRoute], variable: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        var variable = ""
        let routes = allCases.filter { route in
            guard let segments = segments[route], segments.count == parts.count else { return false }
            return zip(segments, parts).allSatisfy { segment, part in
                guard segment.hasPrefix("{") else { return segment == part }
                variable = part
                return !part.isEmpty
            }
        }
        return (routes, variable)
    }
}
