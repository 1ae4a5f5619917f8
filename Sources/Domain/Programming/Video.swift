// SPDX-License-Identifier: Apache-2.0
import JSON

/// Something to play, independent of the source it comes from (PLAY-24). Equal by value, never by identity (PLAY-25).
public struct Video: Hashable, Sendable {
    public static let sourceLimit = 16

    public var name: String
    /// In the order of preference. Sources beyond `sourceLimit` are never tried.
    public var sources: [Source]
    public var cuePoints: CuePointCollection
    public var properties: [String: JSONValue]
    /// Whether the author named the source instead of leaving the choice to a policy. It is then the first that the box
    /// can play.
    public var namesSource: Bool

    public init(
        _ name: String, sources: [Source], cuePoints: CuePointCollection = CuePointCollection(),
        properties: [String: JSONValue] = [:], namesSource: Bool = false
    ) {
        self.name = name
        self.sources = sources
        self.cuePoints = cuePoints
        self.properties = properties
        self.namesSource = namesSource
    }

    /// A copy with `change` applied. The original stays, and the mutable copy cannot leave the block (PLAY-26, 27).
    public func updating(_ change: (inout Video) -> Void) -> Video {
        var copy = self
        change(&copy)
        return copy
    }
}
