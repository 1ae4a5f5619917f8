// SPDX-License-Identifier: Apache-2.0
import JSON

/// Why a body is not an announcement that can be read.
public enum AnnouncementError: Error, Equatable, Sendable, CustomStringConvertible {
    case tooLong(octets: Int)
    case invalidJSON(JSONError)
    /// The version is another one; the other fields were not read.
    case versionMismatch(Int64)
    /// - Parameters:
    ///   - path: RFC 6901 pointer to the field.
    ///   - value: the field's value as JSON, shortened; nil if the field is missing.
    case invalidField(path: String, value: String?, expected: String)

    public var description: String {
        switch self {
        case .tooLong(let octets): "\(octets) octets where at most \(Announcement.mostOctets) are read"
        case .invalidJSON(let error): "not JSON: \(error)"
        case .versionMismatch(let version): "version \(version) where \(Announcement.version) is read"
        case .invalidField(let path, let value?, let expected): "\(path) is \(value) where \(expected) is expected"
        case .invalidField(let path, nil, let expected): "\(path) is missing where \(expected) is expected"
        }
    }
}
