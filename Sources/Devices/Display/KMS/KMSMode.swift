// SPDX-License-Identifier: Apache-2.0
import Scene
import Time

/// A mode of a display.
struct KMSMode: Hashable, Sendable {
    let size: PixelSize
    /// Frames per second; fields per second if interlaced.
    let refresh: FrameRate
    let isInterlaced: Bool
    /// Whether it is the display's preferred mode.
    let isPreferred: Bool

    init(size: PixelSize, refresh: FrameRate, isInterlaced: Bool = false, isPreferred: Bool = false) {
        self.size = size
        self.refresh = refresh
        self.isInterlaced = isInterlaced
        self.isPreferred = isPreferred
    }

    /// - Parameter milliHertz: values below 1 Hz count as 1 Hz.
    init(size: PixelSize, milliHertz: Int, isInterlaced: Bool, isPreferred: Bool) {
        self.init(
            size: size, refresh: FrameRate(Int64(max(1_000, milliHertz)), per: 1_000), isInterlaced: isInterlaced,
            isPreferred: isPreferred)
    }

    /// Computes the rate as the kernel does (drm_mode_vrefresh): doubled for interlaced modes, halved for double scan.
    /// - Parameters:
    ///   - clock: pixel clock in kHz.
    ///   - total: pixels per line and number of lines, both including blanking.
    ///   - lineRepeats: vscan; 0 and 1 mean none.
    /// - Returns: nil if the timing has no rate.
    static func refresh(
        clock: UInt32, total: PixelSize, isInterlaced: Bool, isDoubleScanned: Bool, lineRepeats: UInt16 = 0
    ) -> FrameRate? {
        let range = 1...Int(UInt16.max)
        guard clock > 0, range.contains(total.width), range.contains(total.height) else { return nil }
        // At most 8.6 × 10¹² over 2⁴⁹: no overflow.
        let pictures = Int64(clock) * (isInterlaced ? 2_000 : 1_000)
        let repeats = Int64(max(1, min(lineRepeats, 16))) * (isDoubleScanned ? 2 : 1)
        return FrameRate(pictures, per: Int64(total.width * total.height) * repeats)
    }

    /// Frames per second, 1...240.
    var rate: Int { max(1, min(240, (milliHertz + 500) / 1_000)) }

    /// Thousandths of a frame per second.
    var milliHertz: Int { refresh.milliHertz }

    var pixels: Int { size.width * size.height }

    /// Whether it has the size and rate of `pin`; a whole rate also matches a rate that rounds to it.
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
