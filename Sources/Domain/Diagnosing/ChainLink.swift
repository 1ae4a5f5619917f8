// SPDX-License-Identifier: Apache-2.0

/// A link of the chain that a picture and its sound go through, in the order of causes: where several are broken, the
/// first one explains those behind it.
public enum ChainLink: String, Hashable, Sendable, CaseIterable {
    /// The supply voltage.
    case power
    /// Temperature and memory of the machine.
    case processor
    /// Where settings, reports and the control socket are kept.
    case storage
    /// `touchlined` itself.
    case service
    /// The screen that is plugged in.
    case display
    /// The interface, and the wire in it.
    case link
    /// The radio's association with an access point.
    case association
    /// The address of the interface, and the router.
    case address
    /// The memberships in the groups of announcements.
    case multicast
    /// What head-ends announce.
    case announcements
    /// The licence by which announced channels are listed.
    case licence
    /// What arrives of the channels that are tuned.
    case stream
    /// What is lost on the way, and is not repaired.
    case repair
    case decoder
    /// The way from decoded pictures to the screen.
    case plane
    case sound
}
