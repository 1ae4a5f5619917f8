// SPDX-License-Identifier: Apache-2.0
import JSON

/// Whether the service does what it is there for (SVM-89…97): derived from the reasons, never set.
public struct ServiceState: Hashable, Sendable {
    public struct Reasons: OptionSet, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Nothing listens.
        public static let notRunning = Reasons(rawValue: 1)
        /// No uplink that the service may use is up, whether it is WiFi or a wire.
        public static let wifiDown = Reasons(rawValue: 2)
        /// The line-up is empty.
        public static let noChannels = Reasons(rawValue: 4)
        /// Too much is lost of what is played, after repair.
        public static let poorQuality = Reasons(rawValue: 8)
    }

    public var reasons: Reasons

    public init(reasons: Reasons) { self.reasons = reasons }

    public var isUp: Bool { reasons.isEmpty }

    /// `up` or `down`.
    public var name: String { isUp ? "up" : "down" }

    /// SVM-91: `{"state":"down","reasons":10,"reasonNames":["WiFiDown","PoorQuality"]}`
    public var json: JSONValue {
        [
            "state": .string(name), "reasons": .integer(Int64(reasons.rawValue)),
            "reasonNames": .array(reasons.names.map { .string($0) }),
        ]
    }
}

extension ServiceState.Reasons {
    /// One after the other as a slate prefers them: the first that is set says why there is no picture.
    private static let named: [(reason: Self, name: String)] = [
        (.notRunning, "NotRunning"), (.wifiDown, "WiFiDown"), (.noChannels, "NoChannels"),
        (.poorQuality, "PoorQuality"),
    ]

    /// As the reference's table spells them, the one to be shown first.
    public var names: [String] { Self.named.filter { contains($0.reason) }.map(\.name) }

    /// The one to be shown; nil when there is none.
    public var first: Self? { Self.named.first { contains($0.reason) }?.reason }
}
