// SPDX-License-Identifier: Apache-2.0
import JSON

/// One of the places from which a video can be had (PLAY-24). Equal by value.
public struct Source: Hashable, Sendable {
    /// How the video is delivered; every source states it (PLAY-22).
    public enum Delivery: String, Hashable, Sendable, CaseIterable {
        case hls = "HLS"
        case mp4 = "MP4"
        case multicast = "MULTICAST"
        case file = "FILE"
        case rtp = "RTP"
    }

    public var delivery: Delivery
    /// The name of a channel for `.multicast`, an absolute path for `.file`, an absolute path or a URL for `.mp4`,
    /// otherwise a URL.
    public var location: String
    public var properties: [String: JSONValue]

    public init(_ delivery: Delivery, _ location: String, properties: [String: JSONValue] = [:]) {
        self.delivery = delivery
        self.location = location
        self.properties = properties
    }

    /// A copy with `change` applied; the original stays as it is (PLAY-26, 27).
    public func updating(_ change: (inout Source) -> Void) -> Source {
        var copy = self
        change(&copy)
        return copy
    }
}
