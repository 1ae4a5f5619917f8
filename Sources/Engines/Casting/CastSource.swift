// SPDX-License-Identifier: Apache-2.0

/// What a channel is made from, a slot of time after the other.
/// - Thread: the one that casts the channel.
protocol CastSource: AnyObject {
    /// A slot's length: `numerator` slots in `denominator` seconds.
    var slotRate: (numerator: Int64, denominator: Int64) { get }
    var hasSound: Bool { get }

    /// The units of the next slot, each source's own in order of `dts`.
    /// - Parameter clock: the wall clock's text, for those who show it.
    func nextSlot(clock: String) throws -> [CastUnit]
}
