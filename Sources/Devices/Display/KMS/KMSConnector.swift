// SPDX-License-Identifier: Apache-2.0

/// The state of a connector when it was read.
struct KMSConnector: Hashable, Sendable {
    let id: UInt32
    /// The kernel's name, such as `HDMI-A-1`.
    let name: String
    var isConnected: Bool
    /// True if the link has failed since the mode was set, so that the mode must be set again.
    var isLinkBad = false
    /// The display's EDID; empty if it sends none.
    var edid: [UInt8] = []
    var timings: [KMSTiming] = []
    /// The CRTCs that can drive it, in the kernel's order.
    var crtcs: [UInt32] = []
    /// The CRTC that drives it now; nil if none does.
    var crtc: UInt32?
}

/// A mode as the kernel describes it.
struct KMSTiming: Hashable, Sendable {
    let mode: KMSMode
    /// Its `struct drm_mode_modeinfo`.
    let octets: [UInt8]
}
