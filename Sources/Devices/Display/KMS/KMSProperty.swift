// SPDX-License-Identifier: Apache-2.0

/// A property of a connector, a CRTC or a plane, by the kernel's name.
enum KMSProperty: String, Sendable {
    // Connectors.
    case linkStatus = "link-status"
    case edid = "EDID"
    case isNonDesktop = "non-desktop"
    // Connectors and planes: the id of the CRTC that the object is attached to, or 0.
    case crtc = "CRTC_ID"
    // Writeback connectors, which write what a CRTC shows into a framebuffer: its id, and the address where the kernel
    // stores a fence's descriptor.
    case writebackFramebuffer = "WRITEBACK_FB_ID"
    case writebackFence = "WRITEBACK_OUT_FENCE_PTR"
    // CRTCs.
    case isActive = "ACTIVE"
    case mode = "MODE_ID"
    // Planes: the source rectangle in 1/65536 of a pixel of the framebuffer, then its place on the CRTC in pixels.
    case kind = "type"
    case framebuffer = "FB_ID"
    case sourceX = "SRC_X"
    case sourceY = "SRC_Y"
    case sourceWidth = "SRC_W"
    case sourceHeight = "SRC_H"
    case crtcX = "CRTC_X"
    case crtcY = "CRTC_Y"
    case crtcWidth = "CRTC_W"
    case crtcHeight = "CRTC_H"
    /// Descriptor of a sync file that must be signalled before the framebuffer is shown.
    case inFence = "IN_FENCE_FD"
    /// A blob of the formats and modifiers that the plane shows.
    case inFormats = "IN_FORMATS"
    /// The position in the stack of planes.
    case zpos = "zpos"
    /// 0...65535.
    case alpha = "alpha"
    case blendMode = "pixel blend mode"
    // Planes that show YCbCr.
    case encoding = "COLOR_ENCODING"
    case range = "COLOR_RANGE"
}

/// One property of one object with the value that a commit sets.
struct KMSSetting: Hashable, Sendable {
    var object: UInt32
    var property: KMSProperty
    var value: UInt64

    init(_ object: UInt32, _ property: KMSProperty, _ value: UInt64) {
        self.object = object
        self.property = property
        self.value = value
    }
}
