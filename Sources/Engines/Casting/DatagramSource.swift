// SPDX-License-Identifier: Apache-2.0
import Time

/// A channel's datagrams, a slot of time after the other.
/// - Thread: the one that casts the channel.
protocol DatagramSource: AnyObject {
    /// When the next slot begins, from the start of the run.
    var nextSlotStart: Nanoseconds { get }

    /// Makes the next slot and gives its datagrams in order.
    /// - Parameters:
    ///   - clock: the wall clock's text, for those who show it.
    ///   - body: given octets that are valid during the call, and when they are due from the start of the run.
    func nextSlot(clock: String, _ body: (UnsafeRawBufferPointer, Nanoseconds) -> Void) throws
}

extension ChannelCaster: DatagramSource {}
