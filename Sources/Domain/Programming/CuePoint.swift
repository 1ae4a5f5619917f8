// SPDX-License-Identifier: Apache-2.0
import JSON
import Time

/// A marked instant of a video at which something is to happen (PLAY-17, 24). Equal by value.
public struct CuePoint: Hashable, Sendable {
    /// The time from the beginning of the video.
    public var position: Nanoseconds
    /// The purpose, chosen by the author: "ad", "overlay"…
    public var kind: String
    public var properties: [String: JSONValue]

    public init(at position: Nanoseconds, kind: String, properties: [String: JSONValue] = [:]) {
        self.position = position
        self.kind = kind
        self.properties = properties
    }

    /// A copy with `change` applied; the original stays as it is (PLAY-26, 27).
    public func updating(_ change: (inout CuePoint) -> Void) -> CuePoint {
        var copy = self
        change(&copy)
        return copy
    }
}
