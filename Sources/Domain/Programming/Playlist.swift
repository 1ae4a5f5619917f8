// SPDX-License-Identifier: Apache-2.0
import JSON

/// A sequence of videos (PLAY-24). Equal by value.
public struct Playlist: Hashable, Sendable {
    public static let videoLimit = 1_000

    public var name: String
    /// Videos beyond `videoLimit` are never played.
    public var videos: [Video]
    public var properties: [String: JSONValue]

    public init(_ name: String, _ videos: [Video], properties: [String: JSONValue] = [:]) {
        self.name = name
        self.videos = videos
        self.properties = properties
    }

    /// A copy with `change` applied; the original stays as it is (PLAY-26, 27).
    public func updating(_ change: (inout Playlist) -> Void) -> Playlist {
        var copy = self
        change(&copy)
        return copy
    }
}
