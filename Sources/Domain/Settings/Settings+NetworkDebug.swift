// SPDX-License-Identifier: Apache-2.0
import Shapes

extension Settings {
    /// What a technician has the box say of its network for a while.
    public struct NetworkDebug: Equatable, Sendable {
        /// Access points of which the log has each observation. Lower case, with ':' between octets.
        public var accessPoints: [String] = []
        /// Whether changes of the kernel's multicast groups are logged and kept.
        public var tracesGroups = false
        public var minutes = 30

        public init() {}

        public var asksNothing: Bool { accessPoints.isEmpty && !tracesGroups }
    }
}

extension Settings.NetworkDebug {
    init(_ group: SettingsReader) {
        accessPoints = group.texts("accessPoints").map { String($0.lowercased().map { $0 == "-" ? ":" : $0 }) }
        tracesGroups = group.boolean("igmpTrace")
        minutes = group.integer("minutes")
    }

    static let field = FieldDescription.group(
        "debug", "What the box says of its network for a while, for whoever looks for a fault.",
        [
            FieldDescription(
                "accessPoints", .list(of: .formatted(.bssid), 0...16), .defaulted([]),
                "BSSIDs of access points: while the box is connected to one of them, the log has each look at its radio."
            ),
            FieldDescription(
                "igmpTrace", .boolean, .defaulted(false),
                "Whether changes of the multicast groups of the machine are logged, and shown by igmp-trace."),
            FieldDescription(
                "minutes", .integer(1...1_440), .defaulted(30),
                "When it ends by itself, from the start of the box or the change of these settings."),
        ]
    ).changing(.atOnce)
}
