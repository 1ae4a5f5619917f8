// SPDX-License-Identifier: Apache-2.0
import Time

/// A head-end that announces channels (SVM-26).
public struct Streamer: Hashable, Sendable {
    public struct ID: Hashable, Sendable, CustomStringConvertible {
        public let text: String
        public init(_ text: String) { self.text = text }
        public var description: String { text }
    }

    public var id: ID
    public var name: String
    /// The numeric source address of its announcements.
    public var address: String
    /// The version of its announcements; nil for plain SDP.
    public var version: Int?
    public var firstHeard: Monotonic
    public var lastHeard: Monotonic
    public var channelCount: Int
    /// false when the settings refuse its address (SVM-27).
    public var isAllowed: Bool

    public init(
        id: ID, name: String, address: String, version: Int?, firstHeard: Monotonic, lastHeard: Monotonic,
        channelCount: Int, isAllowed: Bool
    ) {
        self.id = id
        self.name = name
        self.address = address
        self.version = version
        self.firstHeard = firstHeard
        self.lastHeard = lastHeard
        self.channelCount = channelCount
        self.isAllowed = isAllowed
    }
}
