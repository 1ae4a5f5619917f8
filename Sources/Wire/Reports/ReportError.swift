// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes

/// Why octets are no report, no batch of reports, or no answer to one.
public enum ReportError: Error, Equatable, Sendable, CustomStringConvertible {
    case tooLong(octets: Int, limit: Int)
    /// A batch has more reports than it may.
    case tooMany(limit: Int)
    /// The text is not JSON within the limits.
    case notJSON(JSONError)
    /// The document has these problems.
    case invalid([Problem])

    public var description: String {
        switch self {
        case .tooLong(let octets, let limit): "\(octets) octets are too many; expected at most \(limit)"
        case .tooMany(let limit): "there are more reports than one batch may have; expected at most \(limit)"
        case .notJSON(let error): "\(error)"
        case .invalid(let problems): problems.map(\.description).joined(separator: "; ")
        }
    }

    /// The JSON document of a text within these limits.
    static func document(_ text: some Collection<UInt8>, within limits: JSONLimits) throws(ReportError) -> JSONValue {
        guard text.count <= limits.maximumOctets else {
            throw .tooLong(octets: text.count, limit: limits.maximumOctets)
        }
        do {
            return try JSONValue.parse(Array(text), limits: limits)
        } catch {
            throw .notJSON(error)
        }
    }
}
