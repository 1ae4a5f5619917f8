// SPDX-License-Identifier: Apache-2.0

/// What a commit can set, by the kernel's names.
enum KMSProperty: String, Sendable {
    // Of a connector.
    case linkStatus = "link-status"
    case edid = "EDID"
    case isNonDesktop = "non-desktop"
    // Of a connector and of a plane: which CRTC they are with, 0: none.
    case crtc = "CRTC_ID"
    // Of a connector that writes what a CRTC shows into a framebuffer, and where it puts the descriptor of a fence that
    // says when it has.
    case writebackFramebuffer = "WRITEBACK_FB_ID"
    case writebackFence = "WRITEBACK_OUT_FENCE_PTR"
    // Of a CRTC.
    case isActive = "ACTIVE"
    case mode = "MODE_ID"
    // Of a plane: the source's place in 1/65536 of a pixel.
    case kind = "type"
    case framebuffer = "FB_ID"
    case sourceX = "SRC_X"
    case sourceY = "SRC_Y"
    case sourceWidth = "SRC_W"
    case sourceHeight = "SRC_H"
    case left = "CRTC_X"
    case top = "CRTC_Y"
    case width = "CRTC_W"
    case height = "CRTC_H"
    /// What has to be signalled before the framebuffer is shown: a sync file's descriptor.
    case inFence = "IN_FENCE_FD"
    /// A blob: `FormatModifiers`.
    case inFormats = "IN_FORMATS"
    /// Where in the stack of planes.
    case order = "zpos"
    /// 0...65535.
    case opacity = "alpha"
    case blending = "pixel blend mode"
    // Of YCbCr.
    case encoding = "COLOR_ENCODING"
    case range = "COLOR_RANGE"
}

/// One property of one connector, CRTC (CRTC) or plane, as a commit sets it.
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
