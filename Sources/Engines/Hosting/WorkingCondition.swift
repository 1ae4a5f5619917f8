// SPDX-License-Identifier: Apache-2.0

/// Something that works on a box, which a change of settings must not break.
public enum WorkingCondition: String, Sendable, CaseIterable {
    /// An interface that the service may use is up and has an address.
    case network
    /// An announcement was received, of any head-end.
    case announcements
    /// The main region shows pictures of the session that was asked for, not of its fallback.
    case picture
    /// A caller was served by HTTP, on a connection that it opened with the settings as they are.
    case caller

    /// What is missing when it does not hold.
    var absence: String {
        switch self {
        case .network: "no interface with an address"
        case .announcements: "no announcement"
        case .picture: "no picture"
        case .caller: "no caller by HTTP"
        }
    }
}
