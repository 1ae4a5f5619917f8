// SPDX-License-Identifier: Apache-2.0
import Time
import Venue

/// Makes lost packets of a flow again from its Reed–Solomon windows (FECFRAME, RFC 6363; RFC 6865 with m = 8).
///
/// Packets of the flow are handed on at once, without their trailing id; those that were lost follow as soon as a window
/// has as many repairs as losses. A window is counted when all of its packets have come, when `span` has passed since its
/// first one, or when newer windows need its place: until then packets may only be late.
///
/// Total: any octets may come. One thread at a time. All memory is taken in `init`.
public final class WindowRepairer {
    /// A whole RTP packet, valid during the call; when it came, or for a recovered one when its neighbour in the window
    /// came; whether it was lost and made again.
    public typealias Delivery = (_ packet: UnsafeRawBufferPointer, _ arrival: Monotonic, _ isRecovered: Bool) -> Void

    public private(set) var counters = WindowCounters()
    private let windows: RepairWindows

    /// - Returns: nil when the windows are not supported.
    public init?(_ windows: RepairWindows) {
        guard windows.isSupported else { return nil }
        self.windows = windows
    }

    /// Whether a packet is missing that may still be made again.
    public var isWaiting: Bool { false }

    /// When the next open window's time is over: `tick` has something to do then. Nil when none is open.
    public var deadline: Monotonic? { nil }

    /// A datagram of the flow's own group: an RTP packet with its trailing id.
    public func sourceReceived(_ bytes: UnsafeRawBufferPointer, at arrival: Monotonic, deliver: Delivery) {}

    /// A datagram of the repair group.
    public func repairReceived(_ bytes: UnsafeRawBufferPointer, at arrival: Monotonic, deliver: Delivery) {}

    /// Ends windows whose time is over. It makes nothing again that packets did not; `deliver` is there for symmetry.
    public func tick(at now: Monotonic, deliver: Delivery) {}

    /// Counts all windows as they are: the flow ends, or begins anew.
    public func finish() {}
}
