// SPDX-License-Identifier: Apache-2.0
import JSON

/// One of the ways to get at a video (PLAY-24). Equal by value.
public struct Source: Hashable, Sendable {
    /// How it is delivered; to be said of every source (PLAY-22).
    public enum Delivery: String, Hashable, Sendable, CaseIterable {
        case hls = "HLS"
        case mp4 = "MP4"
        case multicast = "MULTICAST"
        case file = "FILE"
        case rtp = "RTP"
    }

    public var delivery: Delivery
    /// Name of a channel for `.multicast`, absolute path for `.file`, else a URL.
    public var location: String
    public var properties: [String: JSONValue]

    public init(_ delivery: Delivery, _ location: String, properties: [String: JSONValue] = [:]) {
        self.delivery = delivery
        self.location = location
        self.properties = properties
    }

    /// A changed copy (PLAY-26, 27).
    public func updating(_ change: (inout Source) -> Void) -> Source {
        var copy = self
        change(&copy)
        return copy
    }
}
