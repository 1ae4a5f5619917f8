// SPDX-License-Identifier: Apache-2.0

/// Whether the service does what it is there for (SVM-89…97): derived from the reasons, never set.
public struct ServiceState: Hashable, Sendable {
    public struct Reasons: OptionSet, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        public static let notRunning = Reasons(rawValue: 1)
        public static let wifiDown = Reasons(rawValue: 2)
        public static let noChannels = Reasons(rawValue: 4)
        public static let poorQuality = Reasons(rawValue: 8)
    }

    public var reasons: Reasons

    public init(reasons: Reasons) { self.reasons = reasons }

    public var isUp: Bool { reasons.isEmpty }
}
