// SPDX-License-Identifier: Apache-2.0

/// Whether the service does its work (SVM-89…97). It is derived from the reasons and never set.
public struct ServiceState: Hashable, Sendable {
    public struct Reasons: OptionSet, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// No announcement group could be joined.
        public static let notRunning = Reasons(rawValue: 1)
        /// No uplink that the service may use is up, neither WiFi nor wired.
        public static let wifiDown = Reasons(rawValue: 2)
        /// The line-up is empty.
        public static let noChannels = Reasons(rawValue: 4)
        /// Too many packets of a channel that plays are lost after repair.
        public static let poorQuality = Reasons(rawValue: 8)
    }

    public var reasons: Reasons

    public init(reasons: Reasons) { self.reasons = reasons }

    public var isUp: Bool { reasons.isEmpty }

    /// `up` or `down`.
    public var name: String { isUp ? "up" : "down" }
}

extension ServiceState.Reasons {
    /// In the order in which a slate prefers them: the first reason that is set explains the missing picture.
    private static let named: [(reason: Self, name: String)] = [
        (.notRunning, "NotRunning"), (.wifiDown, "WiFiDown"), (.noChannels, "NoChannels"),
        (.poorQuality, "PoorQuality"),
    ]

    /// The spellings of the reference beside our name, which commands accept and no answer has (C1). Its table has all but
    /// the first reason, its sample code has four.
    public static let aliases: [(name: String, spellings: [String])] = [
        ("NotRunning", ["kSVMServiceDownReasonSDKNotRunning", "kSVMSERVICE_STATE_DOWN_REASON_SDK_NOT_RUNNING"]),
        ("WiFiDown", ["kSVMServiceDownReasonWiFiDown", "kSVMSERVICE_STATE_DOWN_REASON_WIFI_DOWN"]),
        ("NoChannels", ["kSVMServiceDownReasonNoChannels", "kSVMSERVICE_STATE_DOWN_REASON_NO_CHANNELS"]),
        ("PoorQuality", ["kSVMServiceDownReasonPoorQuality", "kSVMSERVICE_STATE_DOWN_REASON_POOR_QUALITY"]),
    ]

    /// The reason that a person or a program names, in any spelling; nil if there is none of this name.
    public init?(named text: String) {
        let name = Self.aliases.first { $0.spellings.contains(text) }?.name ?? text
        guard let found = Self.named.first(where: { $0.name == name }) else { return nil }
        self = found.reason
    }

    /// All reasons, in the order of preference.
    public static var allNames: [String] { named.map(\.name) }

    /// The names as the reference spells them, in the order of preference.
    public var names: [String] { Self.named.filter { contains($0.reason) }.map(\.name) }

    /// The reason to display; nil if none is set.
    public var first: Self? { Self.named.first { contains($0.reason) }?.reason }
}
