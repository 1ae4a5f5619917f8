// SPDX-License-Identifier: Apache-2.0

/// Vblanks of a display that runs too fast or too slow. Instants are nanoseconds.
public struct SimulatedDisplay: Sendable {
    /// Frames a second: so many in so many seconds.
    public let frames: Int64
    public let seconds: Int64
    /// Of the display's clock; positive: too fast.
    public let driftPPM: Int64
    public let start: Int64

    public init(frames: Int64, seconds: Int64 = 1, driftPPM: Int64 = 0, start: Int64 = 1_000_000_000_123) {
        self.frames = frames
        self.seconds = seconds
        self.driftPPM = driftPPM
        self.start = start
    }

    /// As its mode says.
    public var nominal: Int64 { 1_000_000_000 * seconds / frames }

    private var span: Double { 1e9 * Double(seconds) / Double(frames) / (1 + Double(driftPPM) / 1e6) }

    public func time(of vblank: Int64) -> Int64 { start + Int64((Double(vblank) * span).rounded()) }

    public func vblank(after instant: Int64) -> Int64 {
        var vblank = Int64((Double(instant - start) / span).rounded(.down))
        while time(of: vblank) <= instant { vblank += 1 }
        return vblank
    }

    public func vblank(nearest instant: Int64) -> Int64 { Int64((Double(instant - start) / span).rounded()) }
}
