// SPDX-License-Identifier: Apache-2.0
import Time

/// A source of a channel's datagrams, made in slots of time.
/// - Thread: the one that makes the channel.
protocol DatagramSource: AnyObject {
    /// When the next slot begins, counted from the start of the run.
    var nextSlotStart: Nanoseconds { get }

    /// Makes the next slot and passes on its datagrams in order.
    /// - Parameters:
    ///   - clock: the time of day as text, for sources that show it.
    ///   - body: takes octets that are valid during the call, and when they are due, counted from the start of the run.
    func nextSlot(clock: String, _ body: (UnsafeRawBufferPointer, Nanoseconds) -> Void) throws
}

extension ChannelCaster: DatagramSource {}
