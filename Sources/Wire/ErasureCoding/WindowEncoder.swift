// SPDX-License-Identifier: Apache-2.0
import Time
import Venue

/// Protects a flow of RTP packets with Reed–Solomon windows (FECFRAME, RFC 6363; RFC 6865 with m = 8).
///
/// Every packet goes out at once with its payload id behind it. `depth` windows take turns, one packet each; they end one
/// after the other, every `sourcePackets` packets of the flow, never together. The repairs of a window then go out evenly
/// while the next one fills, during the last `1 / (depth + 1)` of `span`; a window that is not full when they must begin
/// ends as it is, with no more repairs than packets. So the repair of a packet leaves no later than `span` after it, if
/// `tick` is called in time; `RepairWindows.leastSpan` tells with which `span` windows fill.
///
/// One thread at a time. All memory is taken in `init`.
public final class WindowEncoder {
    private let windows: RepairWindows

    /// - Parameter firstBlock: SBN of the first window, its low 24 bits; best at random, so that receivers see a restart.
    /// - Returns: nil when the windows are not supported.
    public init?(_ windows: RepairWindows, firstBlock: UInt32 = 0) {
        guard windows.isSupported else { return nil }
        self.windows = windows
    }

    /// When `tick` next has something to do; nil when nothing waits for time.
    public var deadline: Monotonic? { nil }

    /// Protects one RTP packet, of at most `symbolOctets - 3` octets.
    /// - Parameters:
    ///   - source: called once, with the packet and its trailing id, to be sent to the flow's own group.
    ///   - repair: called with each repair packet that is due by now, to be sent to the repair group.
    /// - Returns: false, and nothing comes out, when the packet is longer than a symbol can hold.
    @discardableResult
    public func packetSent(
        _ packet: UnsafeRawBufferPointer, at now: Monotonic, source: (UnsafeRawBufferPointer) -> Void,
        repair: (UnsafeRawBufferPointer) -> Void
    ) -> Bool {
        packet.count + 3 <= windows.symbolOctets
    }

    /// Ends windows whose time is up, and hands out the repair packets that are due by now.
    public func tick(at now: Monotonic, repair: (UnsafeRawBufferPointer) -> Void) {}

    /// Ends all windows and hands out all their repairs now: the flow ends.
    public func finish(repair: (UnsafeRawBufferPointer) -> Void) {}
}
