// SPDX-License-Identifier: Apache-2.0
import Hosting
import JSON
import Settings
import Shapes
import Venue

/// Where the box listens for group commands. Whose it takes are the keys of `push`.
struct GroupCommandSettings: SettingsSection {
    static let name = "groupCommands"
    static let help = """
        Commands that a group of boxes gets by multicast, signed with a key of push.keys. See config/PUSH.md.
        """

    var listen: [Listening] = []

    static let shape = Shape<Self>([
        .setting(
            "listen", \.listen, .list(of: .record, 0...8), .atOnce,
            "Groups and ports on which the box listens for group commands; none: it listens to none.")
    ])

    var problems: [Problem] {
        listen.indices.compactMap { index in
            guard listen[..<index].contains(listen[index]) else { return nil }
            return Problem(
                path: "/listen/\(index)", expectation: "an address, port and interface that no other element has")
        }
    }

    /// A multicast group, or an address of the box, and a port.
    struct Listening: Record, Hashable {
        var address = ""
        var port: UInt16 = 0
        /// Empty for that of `network.interface`.
        var interface = ""

        static let shape = Shape<Self>([
            .required("address", \.address, .formatted(.address), "Group, or an address of the box."),
            .required("port", \.port, .integer(1...UInt16.max), "UDP port."),
            .member(
                "interface", \.interface, .formatted(.interface),
                "Network interface; \"\": as network.interface says, else the one that the route to the group takes."),
        ])
    }
}
