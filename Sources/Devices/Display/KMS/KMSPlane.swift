// SPDX-License-Identifier: Apache-2.0

/// Shows one picture of the stack that a CRTC makes of its planes'.
struct KMSPlane: Hashable, Sendable {
    /// The kernel's numbers.
    enum Kind: UInt64 { case overlay, primary, cursor }

    /// Where it lies in the stack: the higher covers the lower.
    struct Order: Hashable, Sendable {
        var value: UInt64
        /// What can be set; one value alone where it cannot.
        var range: ClosedRange<UInt64>
    }

    let id: UInt32
    let kind: Kind
    /// Codes of `drm_fourcc.h`.
    let formats: [UInt32]
    let crtcs: [UInt32]
    /// Nil where the card does not say.
    var order: Order?
    /// Whether it has a property for its opacity as a whole.
    var hasOpacity = false
    /// Of those of its properties that are enumerations: the kernel's number of a value by its name.
    var choices: [KMSProperty: [String: UInt64]] = [:]

    /// Blue, green, red and an octet that is ignored (DRM_FORMAT_XRGB8888).
    static let xrgb8888: UInt32 = 0x3432_5258
    /// Blue, green, red and opacity (DRM_FORMAT_ARGB8888).
    static let argb8888: UInt32 = 0x3432_5241
    /// The kernel's name for colours that are multiplied by opacity already.
    static let premultiplied = "Pre-multiplied"

    var showsXRGB8888: Bool { formats.contains(Self.xrgb8888) }

    /// Pictures whose colours are multiplied by their opacity: what a plane without a choice takes them for.
    var blendsPremultiplied: Bool {
        formats.contains(Self.argb8888) && choices[.blending].map { $0[Self.premultiplied] != nil } ?? true
    }

    /// What tells it of a picture's colour; nil when it would show other colours. One that cannot be told anything is
    /// taken to do what the first ones did.
    func settings(of colour: PlaneColour) -> [KMSSetting]? {
        var settings: [KMSSetting] = []
        for (property, name, silent) in [
            (KMSProperty.encoding, colour.encoding, PlaneColour.silent.encoding),
            (.range, colour.range, PlaneColour.silent.range),
        ] {
            guard let choices = choices[property] else {
                if name != silent { return nil }
                continue
            }
            guard let value = choices[name] else { return nil }
            settings.append(KMSSetting(id, property, value))
        }
        return settings
    }
}
