// SPDX-License-Identifier: Apache-2.0
import JSON
import NetworkPlan
import Shapes
import Venue

/// What the service may ask of the helper. There are these three verbs and no others.
public enum HelperRequest: Equatable, Sendable {
    /// The network is to be as the plan says.
    case apply(NetworkPlan)
    /// What the time server and the supplicants say.
    case status
    /// A radio that the settings have in a network is to listen which others there are.
    case scan(InterfaceName)

    /// One line of JSON; certificates make it long.
    public static let mostOctets = 262_144

    public var octets: [UInt8] {
        switch self {
        case .apply(let plan): (["verb": "apply", "plan": plan.json] as JSONValue).octets()
        case .status: (["verb": "status"] as JSONValue).octets()
        case .scan(let radio):
            (["verb": "scan", "interface": .string(radio.description)] as JSONValue).octets()
        }
    }

    /// Checks everything that the settings check, once more: whoever has the service has not the helper.
    /// - Parameter octets: the line without its end.
    public init(parsing octets: some Sequence<UInt8>) throws(Status) {
        let octets = Array(octets)
        guard octets.count <= Self.mostOctets else {
            throw .failure(.usage, "the request has \(octets.count) octets; expected at most \(Self.mostOctets)")
        }
        let document: JSONValue
        do throws(JSONError) {
            document = try JSONValue.parse(octets)
        } catch {
            // The error names the place and not what is there: it may be a secret.
            throw .failure(.usage, "the request is no JSON: \(error.line):\(error.column)")
        }
        guard let members = document.object, let verb = members["verb"]?.string else {
            throw .failure(.usage, "the request has no verb; expected apply, status or scan")
        }
        switch verb {
        case "status" where members.count == 1: self = .status
        case "apply" where members.count == 2: self = .apply(try Self.plan(members["plan"] ?? .null))
        case "scan" where members.count == 2:
            guard let radio = members["interface"]?.string.flatMap({ InterfaceName($0) }) else {
                throw .failure(.usage, "interface of scan is none; expected the name of a radio")
            }
            self = .scan(radio)
        case "status", "apply", "scan": throw .failure(.usage, "\(verb) has other members than it takes")
        default: throw .failure(.usage, "the verb is none of apply, status and scan")
        }
    }

    private static func plan(_ document: JSONValue) throws(Status) -> NetworkPlan {
        var problems = NetworkPlan.kind.problems(of: document)
        guard problems.isEmpty else { throw failure(problems) }
        let plan = NetworkPlan(reading: document)
        problems = plan.problems
        guard problems.isEmpty else { throw failure(problems) }
        return plan
    }

    private static func failure(_ problems: [Problem]) -> Status {
        .failure(.configuration, problems.prefix(8).map(\.description).joined(separator: "; "))
    }
}
