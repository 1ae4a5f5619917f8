// SPDX-License-Identifier: Apache-2.0

/// A plane: shows one framebuffer in the stack that a CRTC composes.
struct KMSPlane: Hashable, Sendable {
    /// The plane's type, by the kernel's numbers.
    enum Kind: UInt64 { case overlay, primary, cursor }

    /// The position in the stack; a higher plane covers a lower one.
    struct ZPosition: Hashable, Sendable {
        var value: UInt64
        /// The values that can be set; one alone if the position is fixed.
        var range: ClosedRange<UInt64>
    }

    let id: UInt32
    let kind: Kind
    /// The pixel formats that it shows: codes of `drm_fourcc.h`.
    let formats: [UInt32]
    /// The CRTCs that it can be attached to.
    let crtcs: [UInt32]
    /// Nil if the card does not say.
    var zpos: ZPosition?
    /// Whether it has a property for the opacity of the whole plane.
    var hasAlpha = false
    /// For each property that is an enumeration, the kernel's number of a value by its name.
    var choices: [KMSProperty: [String: UInt64]] = [:]

    /// Octets of blue, green, red and one that is ignored (`DRM_FORMAT_XRGB8888`).
    static let xrgb8888: UInt32 = 0x3432_5258
    /// Octets of blue, green, red and opacity (`DRM_FORMAT_ARGB8888`).
    static let argb8888: UInt32 = 0x3432_5241
    /// The kernel's name of the blend mode in which colours are multiplied by opacity already.
    static let premultiplied = "Pre-multiplied"

    var showsXRGB8888: Bool { formats.contains(Self.xrgb8888) }

    /// Whether it blends pictures whose colours are multiplied by opacity, as a plane without the property does.
    var blendsPremultiplied: Bool {
        formats.contains(Self.argb8888) && choices[.blendMode].map { $0[Self.premultiplied] != nil } ?? true
    }

    /// The settings that have it interpret YCbCr as `colour` says; nil if it would show other colours. A plane without
    /// the properties is taken for one of `PlaneColour.unconfigured`.
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
