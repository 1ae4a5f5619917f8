// SPDX-License-Identifier: Apache-2.0
import JSON
import Time

/// Something that shall happen at an instant of a video (PLAY-17, 24). Equal by value.
public struct CuePoint: Hashable, Sendable {
    /// From the beginning of the video.
    public var position: Nanoseconds
    /// What it is for: "ad", "overlay"… of the author's choice.
    public var kind: String
    public var properties: [String: JSONValue]

    public init(at position: Nanoseconds, kind: String, properties: [String: JSONValue] = [:]) {
        self.position = position
        self.kind = kind
        self.properties = properties
    }

    /// A changed copy (PLAY-26, 27).
    public func updating(_ change: (inout CuePoint) -> Void) -> CuePoint {
        var copy = self
        change(&copy)
        return copy
    }
}
