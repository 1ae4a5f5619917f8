// SPDX-License-Identifier: Apache-2.0
import Scene
import Time

/// The criteria for choosing a display's mode.
struct ModeRequest: Hashable, Sendable {
    /// Size of the screen for which the stage is made.
    var size: PixelSize
    /// How the stage lies on it.
    var mounting: ScreenMounting
    /// The mode pinned by the settings; nil if there is none.
    var pin: ModePin?
    /// Rate of the content; nil if unknown.
    var content: FrameRate?
    /// Whether the stage is scaled to the mode. If not, it is cropped or framed in modes of other sizes.
    var isScaled: Bool

    init(
        size: PixelSize, mounting: ScreenMounting = ScreenMounting(), pin: ModePin? = nil, content: FrameRate? = nil,
        isScaled: Bool = false
    ) {
        self.size = size
        self.mounting = mounting
        self.pin = pin
        self.content = content
        self.isScaled = isScaled
    }

    /// Size of the stage.
    var stage: PixelSize { mounting.stage(on: size) }

    /// Larger modes are chosen only if asked for: UHD takes four times as long to write.
    static let usualPixels = 1_920 * 1_080

    /// Greatest number of pixels of a mode that is not pinned.
    var mostPixels: Int { max(Self.usualPixels, size.width * size.height) }

    /// The rate that the mode's rate should equal or be a multiple of.
    var rate: FrameRate? {
        switch pin {
        case .size(_, let rate?), .rate(let rate): rate
        default: content
        }
    }
}
