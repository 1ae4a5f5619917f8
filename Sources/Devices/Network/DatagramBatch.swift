// SPDX-License-Identifier: Apache-2.0
import CNetworkShims
import System
import Time
import Venue

/// Datagrams received by one `recvmmsg`, in memory allocated once.
/// - Thread: the receiving one, which owns it.
public struct DatagramBatch: ~Copyable {
    private let batch: OpaquePointer
    private let clock: StampingClock
    private var stamps = StampConverter()
    public private(set) var count = 0
    /// Total number of datagrams that the kernel dropped on the socket, as of the newest datagram.
    public private(set) var kernelDrops: UInt32 = 0
    private var received: Monotonic = Monotonic(nanoseconds: 0)

    /// - Parameters:
    ///   - slots: greatest number of datagrams in a batch, 1...1 024.
    ///   - octets: size of each slot; a longer datagram is cut and marked.
    ///   - clock: the kernel's wall clock.
    public init(slots: Int, octets: Int, clock: StampingClock = StampingClock()) {
        precondition((1...1_024).contains(slots) && (64...65_536).contains(octets))
        guard let made = touchline_batch_create(CInt(slots), CInt(octets)) else {
            preconditionFailure("no memory for \(slots) datagrams")
        }
        batch = made
        self.clock = clock
    }

    deinit { touchline_batch_destroy(batch) }

    /// Waits for datagrams up to the socket's receive timeout and takes those that are there.
    /// - Returns: number of datagrams; 0 when the timeout elapsed.
    public mutating func receive(from socket: borrowing DatagramSocket, waits: Bool = true) throws(SystemCallError)
        -> Int
    {
        try receive(from: socket.rawValue, waits: waits)
    }

    mutating func receive(from descriptor: CInt, waits: Bool) throws(SystemCallError) -> Int {
        count = 0
        let found = touchline_batch_receive(batch, descriptor, waits ? 1 : 0)
        guard found >= 0 else {
            let code = Errno.current
            if code == .wouldBlock || code == .interrupted { return 0 }
            throw SystemCallError("recvmmsg", code)
        }
        received = SystemClock.monotonic()
        let pair = clock.paired()
        stamps.pair(wall: pair.wall, between: pair.earlier, and: pair.later)
        count = Int(found)
        if count > 0 { kernelDrops = touchline_batch_datagrams(batch)[count - 1].drops }
        return count
    }

    /// When the datagram arrived: by the kernel's time stamp, or the time of `receive` if there is none.
    /// - Parameter index: 0..<count.
    public func arrival(_ index: Int) -> Monotonic {
        let datagram = touchline_batch_datagrams(batch)[index]
        guard datagram.has_stamp != 0 else { return received }
        let stamp = clock.stamp(WallTime(nanoseconds: datagram.stamp_nanoseconds))
        return stamps.convert(stamp, receivedAt: received)
    }

    /// Whether the datagram was longer than its slot.
    public func isTruncated(_ index: Int) -> Bool { touchline_batch_datagrams(batch)[index].is_truncated != 0 }

    /// Calls `body` with the octets of a datagram, which stay valid until the next `receive`.
    public func withBytes<Result>(_ index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        precondition(index < count)
        let octets = Int(touchline_batch_datagrams(batch)[index].octets)
        return try body(UnsafeRawBufferPointer(start: touchline_batch_bytes(batch, CInt(index)), count: octets))
    }

    /// The sender's numeric address as text. It allocates, so it is for the control plane and logs only.
    public func source(_ index: Int) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
            text.initialize(repeating: 0)
            guard let base = text.baseAddress,
                touchline_address_text(touchline_batch_datagrams(batch) + index, base, 64) == 0
            else { return "" }
            return String(cString: base)
        }
    }

    /// The sender's address.
    public func sender(_ index: Int) -> NumericAddress { peer(index).address }

    /// The sender's address and port.
    public func peer(_ index: Int) -> DatagramPeer {
        precondition(index < count)
        return DatagramPeer(touchline_batch_datagrams(batch)[index].sender)
    }
}
