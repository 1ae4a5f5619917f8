// SPDX-License-Identifier: Apache-2.0

/// A plane, which shows one framebuffer in the stack that a CRTC composes.
struct KMSPlane: Hashable, Sendable {
    /// Type of the plane, by the kernel's numbers.
    enum Kind: UInt64 { case overlay, primary, cursor }

    /// Position in the stack; a higher plane covers a lower one.
    struct ZPosition: Hashable, Sendable {
        var value: UInt64
        /// The values that can be set; a single one if the position is fixed.
        var range: ClosedRange<UInt64>
    }

    let id: UInt32
    let kind: Kind
    /// The pixel formats that it shows, as codes of `drm_fourcc.h`.
    let formats: [UInt32]
    /// The CRTCs that it can be attached to.
    let crtcs: [UInt32]
    /// nil if the card does not report it.
    var zpos: ZPosition?
    /// Whether it has a property for the opacity of the whole plane.
    var hasAlpha = false
    /// For each enumeration property, the kernel's numbers of the values by their names.
    var choices: [KMSProperty: [String: UInt64]] = [:]

    /// Octets of blue, green, red, and one that is ignored (`DRM_FORMAT_XRGB8888`).
    static let xrgb8888: UInt32 = 0x3432_5258
    /// Octets of blue, green, red and opacity (`DRM_FORMAT_ARGB8888`).
    static let argb8888: UInt32 = 0x3432_5241
    /// The kernel's name of the blend mode for colours already multiplied by opacity.
    static let premultiplied = "Pre-multiplied"

    var showsXRGB8888: Bool { formats.contains(Self.xrgb8888) }

    /// Whether it blends pictures whose colours are multiplied by opacity; a plane without the property does.
    var blendsPremultiplied: Bool {
        formats.contains(Self.argb8888) && choices[.blendMode].map { $0[Self.premultiplied] != nil } ?? true
    }

    /// The settings that make it interpret YCbCr as `colour` says; nil if it cannot. A plane without the properties is
    /// assumed to do as `PlaneColour.unconfigured`.
    func settings(of colour: PlaneColour) -> [KMSSetting]? {
        var settings: [KMSSetting] = []
        for (property, name, unconfigured) in [
            (KMSProperty.encoding, colour.encoding, PlaneColour.unconfigured.encoding),
            (.range, colour.range, PlaneColour.unconfigured.range),
        ] {
            guard let choices = choices[property] else {
                if name != unconfigured { return nil }
                continue
            }
            guard let value = choices[name] else { return nil }
            settings.append(KMSSetting(id, property, value))
        }
        return settings
    }
}
