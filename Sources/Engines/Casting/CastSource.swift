// SPDX-License-Identifier: Apache-2.0

/// A source of coded units for a channel, read in slots of time.
/// - Thread: the one that makes the channel.
protocol CastSource: AnyObject {
    /// Slots per second, as a fraction: `numerator` slots take `denominator` seconds.
    var slotRate: (numerator: Int64, denominator: Int64) { get }
    var hasSound: Bool { get }

    /// The units of the next slot; those of each kind are in order of `dts`.
    /// - Parameter clock: the time of day as text, for sources that show it.
    func nextSlot(clock: String) throws -> [CastUnit]
}
