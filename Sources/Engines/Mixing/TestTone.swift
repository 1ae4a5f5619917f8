// SPDX-License-Identifier: Apache-2.0

/// A sine that somebody listens to or measures.
public struct TestTone: Hashable, Sendable {
    public enum Channel: String, Sendable, CaseIterable {
        case all, left, right
        /// The left one for a second, then the right one for a second, and so on.
        case each
    }

    public static let frequencies = 20...20_000
    public static let levels = -60...0

    /// Hertz.
    public var frequency: Int
    /// Peak of the sine relative to full scale, dBFS.
    public var level: Int
    public var channel: Channel
    public var seconds: Int64

    /// - Parameters: frequency, level: clamped to `frequencies` and `levels`.
    public init(frequency: Int = 1_000, level: Int = -20, channel: Channel = .all, seconds: Int64 = 10) {
        self.frequency = max(Self.frequencies.lowerBound, min(Self.frequencies.upperBound, frequency))
        self.level = max(Self.levels.lowerBound, min(Self.levels.upperBound, level))
        self.channel = channel
        self.seconds = max(0, seconds)
    }

    /// The greatest sample: 1 at 0 dBFS, where a sine has full scale, and 0.1 at -20 dBFS.
    var amplitude: Double {
        // 10^(-1/20), so many times.
        (0..<(-level)).reduce(1) { value, _ in value * 0.891_250_938_133_745_6 }
    }
}
