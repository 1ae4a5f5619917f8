// SPDX-License-Identifier: Apache-2.0
import CNetworkShims
import System
import Time

/// A UDP socket for short messages both ways, for both of which the kernel says when they passed the interface: a server's,
/// which answers any peer, or a client's, which is connected to one. It never waits.
/// - Thread: one.
public final class StampedSocket {
    /// When a stamped datagram left.
    public struct SendStamp: Hashable, Sendable {
        /// That `send` has returned.
        public let number: UInt32
        /// Nil while stamps cannot be converted, because the kernel's wall clock was stepped.
        public let instant: Monotonic?
    }

    /// The kernel keeps about a thousand short datagrams in so many.
    private static let bufferOctets: CInt = 1 << 20

    private let descriptor: FileDescriptor
    private let clock: StampingClock
    private var stamps = StampConverter()
    private var nextNumber: UInt32 = 0

    /// A server's. No other socket is bound to the same address and port.
    /// - Parameter own: port 0 lets the kernel choose one.
    public init(boundTo own: DatagramPeer, clock: StampingClock = StampingClock()) throws(SystemCallError) {
        self.clock = clock
        var address = own.shim
        descriptor = FileDescriptor(
            adopting: try syscall("bind udp \(own)") { touchline_udp_exchange(&address, nil, Self.bufferOctets) })
    }

    /// A client's. It receives from this peer only, and sends from the address that the machine has now.
    public init(connectedTo peer: DatagramPeer, clock: StampingClock = StampingClock()) throws(SystemCallError) {
        self.clock = clock
        var address = peer.shim
        descriptor = FileDescriptor(
            adopting: try syscall("connect udp \(peer)") { touchline_udp_exchange(nil, &address, Self.bufferOctets) })
    }

    public var rawValue: CInt { descriptor.rawValue }

    /// The address and port that the socket has; nil if the kernel does not say.
    public var ownPeer: DatagramPeer? {
        var own = touchline_peer()
        return touchline_own_peer(rawValue, &own) == 0 ? DatagramPeer(own) : nil
    }

    /// Takes the datagrams that are there.
    /// - Returns: their number; 0 also if the peer's machine reports that nobody receives there.
    public func receive(into batch: inout DatagramBatch) throws(SystemCallError) -> Int {
        do throws(SystemCallError) {
            return try batch.receive(from: rawValue, waits: false)
        } catch {
            guard error.code == .refused else { throw error }
            return 0
        }
    }

    /// Sends one datagram.
    /// - Parameters:
    ///   - peer: nil for the one that the socket is connected to.
    ///   - isStamped: whether the kernel is asked when the datagram leaves.
    /// - Returns: the number of a stamped datagram.
    /// - Throws: also what an earlier datagram met with. This one has not left then.
    @discardableResult
    public func send(
        _ octets: [UInt8], to peer: DatagramPeer? = nil, isStamped: Bool
    ) throws(SystemCallError) -> UInt32 {
        _ = try syscall("send udp") {
            guard let peer else { return touchline_send_to(rawValue, octets, octets.count, nil, isStamped ? 1 : 0) }
            var address = peer.shim
            return touchline_send_to(rawValue, octets, octets.count, &address, isStamped ? 1 : 0)
        }
        let number = nextNumber
        if isStamped { nextNumber &+= 1 }
        return number
    }

    /// The stamp of one datagram that was sent, in their order. Interfaces without stamps never give one; of others it may
    /// be there before `send` returns.
    /// - Returns: nil if none is there now.
    public func takeSendStamp() -> SendStamp? {
        var (number, nanoseconds): (UInt32, Int64) = (0, 0)
        guard touchline_send_stamp(rawValue, &number, &nanoseconds) == 1 else { return nil }
        let pair = clock.paired()
        stamps.pair(wall: pair.wall, between: pair.earlier, and: pair.later)
        let stamp = clock.stamp(WallTime(nanoseconds: nanoseconds))
        return SendStamp(number: number, instant: stamps.plausible(stamp, receivedAt: pair.earlier))
    }

    /// Lets numbers begin with 0 again. After a `send` that threw, the kernel's may have become others than ours; it does
    /// not say whether it counted that datagram.
    public func restartSendStamps() throws(SystemCallError) {
        while takeSendStamp() != nil {}
        _ = try syscall("SO_TIMESTAMPING") { touchline_restart_send_stamps(rawValue) }
        nextNumber = 0
    }
}
