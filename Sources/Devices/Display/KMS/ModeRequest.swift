// SPDX-License-Identifier: Apache-2.0
import Scene
import Time

/// What a screen's mode is chosen by.
struct ModeRequest: Hashable, Sendable {
    /// Of the stage.
    var size: PixelSize
    /// What the settings ask for.
    var pin: ModePin?
    /// Of what is played, where that is known.
    var content: FrameRate?
    /// The stage is scaled to any mode; else it is cut or framed in all but its own size.
    var isScaled: Bool

    init(size: PixelSize, pin: ModePin? = nil, content: FrameRate? = nil, isScaled: Bool = false) {
        self.size = size
        self.pin = pin
        self.content = content
        self.isScaled = isScaled
    }

    /// More pixels than this are shown where somebody asked for them only: writing them takes four times as long.
    static let usualPixels = 1_920 * 1_080

    /// Of a mode that nobody has pinned.
    var mostPixels: Int { max(Self.usualPixels, size.width * size.height) }

    /// What a mode's rate is to be, or a multiple of.
    var rate: FrameRate? {
        switch pin {
        case .size(_, let rate?), .rate(let rate): rate
        default: content
        }
    }
}
