// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes

/// Why octets are no envelope, or its payload no order.
public enum EnvelopeError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Longer than the limit, in octets.
    case tooLong(octets: Int, limit: Int)
    /// The text is not JSON within the limits.
    case notJSON(JSONError)
    /// The document has these problems.
    case invalid([Problem])
    /// The payload is of another type than what is read here.
    case otherType(String, expected: String = SignedOrder.payloadType)

    public var description: String {
        switch self {
        case .tooLong(let octets, let limit): "\(octets) octets are too many; expected at most \(limit)"
        case .notJSON(let error): "\(error)"
        case .invalid(let problems): problems.map(\.description).joined(separator: "; ")
        case .otherType(let type, let expected):
            "/payloadType is \(JSONValue.string(type).text()); expected \"\(expected)\""
        }
    }

    /// The JSON document of a text within these limits.
    static func document(_ text: [UInt8], within limits: JSONLimits) throws(EnvelopeError) -> JSONValue {
        guard text.count <= limits.maximumOctets else {
            throw .tooLong(octets: text.count, limit: limits.maximumOctets)
        }
        do {
            return try JSONValue.parse(text, limits: limits)
        } catch {
            throw .notJSON(error)
        }
    }
}
