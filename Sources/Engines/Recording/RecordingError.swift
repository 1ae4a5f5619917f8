// SPDX-License-Identifier: Apache-2.0

/// Why something recorded cannot be read: one line that names the place.
public struct RecordingError: Error, Equatable, Sendable, CustomStringConvertible {
    public let place: String
    public let why: String

    public init(_ place: String, _ why: String) { (self.place, self.why) = (place, why) }

    public var description: String { "\(place): \(why)" }
}
