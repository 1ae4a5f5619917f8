// SPDX-License-Identifier: Apache-2.0

/// Something that works on a box, which a change of settings must not break.
public enum WorkingCondition: String, Sendable, CaseIterable {
    /// An interface that the service may use is up and has an address.
    case network
    /// The router answers through which everything is reached that is not in the box's own network.
    case gateway
    /// An announcement was received, of any head-end.
    case announcements
    /// The server that has orders for the box was heard.
    case server
    /// The main region shows pictures of the session that was asked for, not of its fallback.
    case picture
    /// A caller was served by HTTP, on a connection that it opened with the settings as they are. It showed who it is, or came
    /// from elsewhere with a role: a program of this machine that shows nothing says nothing of those who control the box.
    case caller

    /// What is missing when it does not hold.
    var absence: String {
        switch self {
        case .network: "no interface with an address"
        case .gateway: "no answer of the router"
        case .announcements: "no announcement"
        case .server: "no answer of the server of orders"
        case .picture: "no picture"
        case .caller: "no caller by HTTP"
        }
    }
}
