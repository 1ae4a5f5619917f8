// SPDX-License-Identifier: Apache-2.0
import HTTP
import Time

/// Requests about what venues told.
extension ReporterAPI {
    func venues(
        _ request: HTTPRequest, _ route: ReporterRoute, _ venue: String, at now: WallTime
    ) throws(ReporterRefusal) -> Wish {
        guard route == .venues || (1...64).contains(venue.unicodeScalars.count) else {
            throw ReporterRefusal(404, "the id of a venue has 1 to 64 characters")
        }
        let query = try ReporterQuery(request, route)
        switch route {
        case .venueAccessPoints: return .venueAir(venue: venue, try air(query, .accessPoint, at: now))
        case .venueChannels: return .venueAir(venue: venue, try air(query, .channel, at: now))
        default: break
        }
        let (after, limit) = (query["after"] ?? "", try query.integer("limit", 1...1_000, standard: 1_000))
        return route == .venues
            ? .venues(after: after, limit: limit) : .venueBoxes(venue: venue, after: after, limit: limit)
    }
}
