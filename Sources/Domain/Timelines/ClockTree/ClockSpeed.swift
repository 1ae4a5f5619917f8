// SPDX-License-Identifier: Apache-2.0

/// How fast a clock runs: the factor by which its ticks differ from its tick rate, in parts per billion. Zero is a
/// paused clock, a negative speed runs in reverse.
public struct ClockSpeed: Hashable, Sendable, BitwiseCopyable {
    static let one: Int64 = 1_000_000_000
    /// The fastest speed is 1 000 times the normal one.
    private static let limit = 1_000 * one

    public let partsPerBillion: Int64

    /// nil beyond 1 000 times the normal speed.
    public init?(partsPerBillion: Int64) {
        guard (-Self.limit...Self.limit).contains(partsPerBillion) else { return nil }
        self.init(unchecked: partsPerBillion)
    }

    /// Accepts the timelineSpeedMultiplier of a control timestamp, rounded to the nearest part per billion. nil beyond
    /// 1 000 times the normal speed, and for NaN.
    public init?(multiplier: Double) {
        guard multiplier.magnitude <= 1_000 else { return nil }
        self.init(unchecked: Int64((multiplier * Double(Self.one)).rounded()))
    }

    init(unchecked partsPerBillion: Int64) { self.partsPerBillion = partsPerBillion }

    public static let normal = ClockSpeed(unchecked: one)
    public static let paused = ClockSpeed(unchecked: 0)

    public var multiplier: Double { Double(partsPerBillion) / Double(Self.one) }
    public var isPaused: Bool { partsPerBillion == 0 }

    /// The factor without its sign.
    var ratio: TickRatio { TickRatio(partsPerBillion.magnitude, over: Self.one.magnitude) }
}
