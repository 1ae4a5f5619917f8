// SPDX-License-Identifier: Apache-2.0

/// Where a display is plugged in, as it was when it was asked.
struct KMSConnector: Hashable, Sendable {
    let id: UInt32
    /// `HDMI-A-1`.
    let name: String
    var isConnected: Bool
    /// The link has failed since the mode was set: it has to be set again.
    var isLinkBad = false
    /// What the display says of itself; empty when it says nothing.
    var edid: [UInt8] = []
    var timings: [KMSTiming] = []
    /// Those that can drive it, in the kernel's order.
    var crtcs: [UInt32] = []
    /// The one that does.
    var crtc: UInt32?
}

/// A mode as the kernel describes it.
struct KMSTiming: Hashable, Sendable {
    let mode: KMSMode
    /// Its `struct drm_mode_modeinfo`.
    let octets: [UInt8]
}
