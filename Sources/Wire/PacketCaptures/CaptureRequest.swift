// SPDX-License-Identifier: Apache-2.0
import JSON
import NetworkPlan
import Venue

/// What the service asks of the helper that may open packet sockets: one line of JSON. The filter's program is made by the
/// helper, not sent to it.
public struct CaptureRequest: Equatable, Sendable {
    public let interface: InterfaceName
    public let filter: CaptureFilter
    /// The most octets of a frame that are kept.
    public let snap: Int

    /// The least has the headers of Ethernet, IPv4, UDP and RTP.
    public static let snaps = 64...65_535
    /// The most octets that a request may have.
    public static let mostOctets = 1_024

    /// - Parameter filter: one that a frame can meet.
    public init(interface: InterfaceName, filter: CaptureFilter, snap: Int) {
        precondition(filter.problem == nil && Self.snaps.contains(snap))
        (self.interface, self.filter, self.snap) = (interface, filter, snap)
    }

    public var octets: [UInt8] {
        var members: [String: JSONValue] = [
            "interface": .string(interface.description), "snap": .integer(Int64(snap)),
        ]
        members["address"] = filter.address.map { .string($0.description) }
        members["port"] = filter.port.map { .integer(Int64($0)) }
        members["kind"] = filter.kind.map { .string($0.rawValue) }
        return JSONValue.object(members).octets()
    }

    /// Checks all of it: whoever has the service has not the helper.
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
            throw .failure(.usage, "the request is no JSON: \(error.line):\(error.column)")
        }
        guard let members = document.object else { throw .failure(.usage, "the request is no object") }
        let names = ["interface", "snap", "address", "port", "kind"]
        if let other = members.keys.sorted().first(where: { !names.contains($0) }) {
            let list = names.joined(separator: ", ")
            throw .failure(.usage, "\(JSONValue.string(other).text()) is no member; expected \(list)")
        }
        guard let name = members["interface"]?.string.flatMap({ InterfaceName($0) }) else {
            throw Self.failure("interface", members["interface"], "the name of an interface")
        }
        guard let snap = members["snap"]?.integer.flatMap({ Int(exactly: $0) }), Self.snaps.contains(snap) else {
            throw Self.failure("snap", members["snap"], "\(Self.snaps.lowerBound)...\(Self.snaps.upperBound)")
        }
        var filter = CaptureFilter()
        if let given = members["address"] {
            guard let address = given.string.flatMap({ NumericAddress($0) }) else {
                throw Self.failure("address", given, "a numeric IPv4 or IPv6 address")
            }
            filter.address = address
        }
        if let given = members["port"] {
            guard let port = given.integer.flatMap({ UInt16(exactly: $0) }), port > 0 else {
                throw Self.failure("port", given, "1...65535")
            }
            filter.port = port
        }
        if let given = members["kind"] {
            guard let kind = given.string.flatMap({ CaptureFilter.Kind(rawValue: $0) }) else {
                let kinds = CaptureFilter.Kind.allCases.map(\.rawValue).joined(separator: " or ")
                throw Self.failure("kind", given, kinds)
            }
            filter.kind = kind
        }
        if let problem = filter.problem { throw .failure(.usage, problem) }
        self.init(interface: name, filter: filter, snap: snap)
    }

    private static func failure(_ field: String, _ value: JSONValue?, _ expectation: String) -> Status {
        let what = value.map { "is \($0.text())" } ?? "is missing"
        return .failure(.usage, "\(field) \(what); expected \(expectation)")
    }
}
