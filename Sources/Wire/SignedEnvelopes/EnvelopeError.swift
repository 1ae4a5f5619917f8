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
    /// The payload is of another type than orders.
    case otherType(String)

    public var description: String {
        switch self {
        case .tooLong(let octets, let limit): "\(octets) octets are too many; expected at most \(limit)"
        case .notJSON(let error): "\(error)"
        case .invalid(let problems): problems.map(\.description).joined(separator: "; ")
        case .otherType(let type):
            "/payloadType is \(JSONValue.string(type).text()); expected \"\(SignedOrder.payloadType)\""
        }
    }
}
