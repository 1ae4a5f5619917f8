// SPDX-License-Identifier: Apache-2.0
import JSON

/// Videos in an order (PLAY-24). Equal by value.
public struct Playlist: Hashable, Sendable {
    public static let videoLimit = 1_000

    public var name: String
    /// What is beyond `videoLimit` is never played.
    public var videos: [Video]
    public var properties: [String: JSONValue]

    public init(_ name: String, _ videos: [Video], properties: [String: JSONValue] = [:]) {
        self.name = name
        self.videos = videos
        self.properties = properties
    }

    /// A changed copy (PLAY-26, 27).
    public func updating(_ change: (inout Playlist) -> Void) -> Playlist {
        var copy = self
        change(&copy)
        return copy
    }
}
