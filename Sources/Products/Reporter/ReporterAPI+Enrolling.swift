// SPDX-License-Identifier: Apache-2.0
import HTTP
import JSON
import Reports
import Shapes

/// Requests about boxes that enrol.
extension ReporterAPI {
    func enrolling(
        _ request: HTTPRequest, _ route: ReporterRoute, _ variable: String
    ) throws(ReporterRefusal) -> EnrolmentWish {
        let query = try ReporterQuery(request, route)
        switch route {
        case .enrol: return .enrol(octets: try envelope(of: request))
        case .rotate: return .rotate(box: variable, octets: try envelope(of: request))
        case .enrolments:
            return .list(after: query["after"] ?? "", limit: try query.integer("limit", 1...1_000, standard: 1_000))
        case .decide: return .decide(variable, try record(of: request))
        case .tokens: return .tokens
        case .makeToken: return .makeToken(try record(of: request))
        case .deleteToken: return .deleteToken(variable)
        case .revoke:
            let why = query["why"] ?? "somebody revoked it"
            // It is kept, and what is kept has no control characters.
            let isOrdinary = why.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
            guard why.unicodeScalars.count <= 256, isOrdinary else {
                let count = why.unicodeScalars.count
                throw ReporterRefusal(
                    400, "why has \(count) characters; expected at most 256, without control characters")
            }
            return .revoke(box: variable, why: why)
        case .forgetClones: return .forgetClones(box: variable)
        case .replace: return .replace(try record(of: request))
        default: return .nonce
        }
    }

    private func envelope(of request: HTTPRequest) throws(ReporterRefusal) -> [UInt8] {
        let octets = try octets(of: request)
        guard octets.count <= EnrolmentRequest.mostOctets else {
            throw ReporterRefusal(413, "the body has more than \(EnrolmentRequest.mostOctets) octets")
        }
        return octets
    }

    private func record<Body: Record>(of request: HTTPRequest) throws(ReporterRefusal) -> Body {
        let octets = try octets(of: request)
        let document: JSONValue
        do {
            document = try JSONValue.parse(
                octets, limits: JSONLimits(maximumDepth: 4, maximumOctets: 16 << 10, maximumValues: 256))
        } catch {
            throw ReporterRefusal(400, "\(error)")
        }
        let problems = Body.kind.problems(of: document)
        guard problems.isEmpty else {
            throw ReporterRefusal(422, problems.prefix(8).map(\.description).joined(separator: "; "))
        }
        return Body(reading: document)
    }
}
