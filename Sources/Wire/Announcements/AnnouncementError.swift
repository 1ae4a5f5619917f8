// SPDX-License-Identifier: Apache-2.0
import JSON

/// Why a body is not an announcement that we read.
public enum AnnouncementError: Error, Equatable, Sendable, CustomStringConvertible {
    case tooLong(octets: Int)
    case invalidJSON(JSONError)
    /// Sound so far, but of another version; nothing else of it was looked at.
    case versionMismatch(Int64)
    /// - Parameters:
    ///   - path: RFC 6901 pointer.
    ///   - value: as JSON, shortened; nil when the field is not there.
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
