// SPDX-License-Identifier: Apache-2.0
import Scene
import Time

/// A way in which a screen can be driven.
struct KMSMode: Hashable, Sendable {
    let size: PixelSize
    /// Pictures a second; of an interlaced one: fields.
    let refresh: FrameRate
    let isInterlaced: Bool
    /// The screen's own.
    let isPreferred: Bool

    init(size: PixelSize, refresh: FrameRate, isInterlaced: Bool = false, isPreferred: Bool = false) {
        self.size = size
        self.refresh = refresh
        self.isInterlaced = isInterlaced
        self.isPreferred = isPreferred
    }

    /// - Parameter milliHertz: 0 is taken for 1 Hz.
    init(size: PixelSize, milliHertz: Int, isInterlaced: Bool, isPreferred: Bool) {
        self.init(
            size: size, refresh: FrameRate(Int64(max(1_000, milliHertz)), per: 1_000), isInterlaced: isInterlaced,
            isPreferred: isPreferred)
    }

    /// As the kernel counts (drm_mode_vrefresh): twice for interlaced ones, half where each line is shown twice.
    /// - Parameter clock: kHz of pixels.
    /// - Parameter total: pixels of a line and lines, with what is not seen of them.
    /// - Parameter lineRepeats: vscan; 0 and 1: none.
    /// - Returns: nil for a timing of no rate.
    static func refresh(
        clock: UInt32, total: PixelSize, isInterlaced: Bool, isDoubleScanned: Bool, lineRepeats: UInt16 = 0
    ) -> FrameRate? {
        let range = 1...Int(UInt16.max)
        guard clock > 0, range.contains(total.width), range.contains(total.height) else { return nil }
        // At most 8.6 × 10¹² over 2⁴⁹, mostly shortened.
        let pictures = Int64(clock) * (isInterlaced ? 2_000 : 1_000)
        let repeats = Int64(max(1, min(lineRepeats, 16))) * (isDoubleScanned ? 2 : 1)
        return FrameRate(pictures, per: Int64(total.width * total.height) * repeats)
    }

    /// Frames a second, 1...240.
    var rate: Int { max(1, min(240, (milliHertz + 500) / 1_000)) }

    /// Thousandths of a frame a second.
    var milliHertz: Int { refresh.milliHertz }

    var pixels: Int { size.width * size.height }

    /// Whether this is what `pin` names: its size, and its rate, where a whole one also means what rounds to it.
    func isMeant(by pin: ModePin) -> Bool {
        switch pin {
        case .preferred: isPreferred
        case .size(let wanted, let rate): size == wanted && (rate.map(isOf) ?? true)
        case .rate(let rate): isOf(rate)
        }
    }

    private func isOf(_ rate: FrameRate) -> Bool {
        refresh.isAlmost(rate) || rate.seconds == 1 && (refresh.milliHertz + 500) / 1_000 == rate.milliHertz / 1_000
    }
}
