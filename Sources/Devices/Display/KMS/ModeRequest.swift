// SPDX-License-Identifier: Apache-2.0
import Scene
import Time

/// What a display's mode is chosen by.
struct ModeRequest: Hashable, Sendable {
    /// The stage's.
    var size: PixelSize
    /// The mode that the settings pin.
    var pin: ModePin?
    /// The rate of what is played; nil if it is not known.
    var content: FrameRate?
    /// Whether the stage is scaled to the mode; if not, it is cut or framed in modes of other sizes.
    var isScaled: Bool

    init(size: PixelSize, pin: ModePin? = nil, content: FrameRate? = nil, isScaled: Bool = false) {
        self.size = size
        self.pin = pin
        self.content = content
        self.isScaled = isScaled
    }

    /// Modes of more pixels are chosen only if asked for: UHD takes four times as long to write.
    static let usualPixels = 1_920 * 1_080

    /// The most pixels of a mode that is not pinned.
    var mostPixels: Int { max(Self.usualPixels, size.width * size.height) }

    /// The rate that the mode's should be equal to, or a multiple of.
    var rate: FrameRate? {
        switch pin {
        case .size(_, let rate?), .rate(let rate): rate
        default: content
        }
    }
}
