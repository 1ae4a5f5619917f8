// SPDX-License-Identifier: Apache-2.0
import JSON

/// Why a text is not a message of CSS-CII or CSS-TS that can be read.
public enum CompanionMessageError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Not JSON, or longer or deeper than is read.
    case invalidJSON(JSONError)
    /// CSS-CII of a version other than 1.1; the other properties were not read.
    case unsupportedVersion(String)
    /// - Parameters:
    ///   - path: RFC 6901 pointer to the property; `""` is the message.
    ///   - value: as JSON, shortened; nil if the property is missing.
    case invalidProperty(path: String, value: String?, expected: String)

    public var description: String {
        switch self {
        case .invalidJSON(let error): "not JSON: \(error)"
        case .unsupportedVersion(let version): "CSS-CII version \(version) where \"1.1\" is read"
        case .invalidProperty("", let value?, let expected): "the message is \(value) where \(expected) is expected"
        case .invalidProperty(let path, let value?, let expected): "\(path) is \(value) where \(expected) is expected"
        case .invalidProperty(let path, nil, let expected): "\(path) is missing where \(expected) is expected"
        }
    }
}
