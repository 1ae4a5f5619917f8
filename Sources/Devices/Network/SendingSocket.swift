// SPDX-License-Identifier: Apache-2.0
import System
import Time

/// Sends to one address for years. A connected socket keeps the address that the machine had when it was connected, and
/// the kernel refuses to send from it once the machine has another. Then it is opened again.
/// - Thread: one.
public final class SendingSocket {
    /// The least time between two attempts to open the socket.
    private static let pause = Nanoseconds.milliseconds(200)

    private let address: String
    private let port: UInt16
    private let interface: String
    private let hops: Int
    private var socket: DatagramSocket?
    private var nextAttempt = Monotonic(nanoseconds: 0)
    /// Why the last datagram was not sent; nil if it was.
    public private(set) var problem: SystemCallError?
    /// The numeric address from which the socket sends; nil while there is no socket.
    public var ownAddress: String? { socket?.ownAddress }

    /// See `DatagramSocket`.
    public init(to address: String, port: UInt16, interface: String = "", hops: Int = 16) throws(SystemCallError) {
        (self.address, self.port, self.interface, self.hops) = (address, port, interface, hops)
        socket = try DatagramSocket(sendingTo: address, port: port, interface: interface, hops: hops)
    }

    /// Sends one datagram. After an error it is lost, and a later one opens the socket again.
    public func send(_ bytes: UnsafeRawBufferPointer) throws(SystemCallError) {
        do throws(SystemCallError) {
            if socket == nil { try open() }
            try socket?.send(bytes)
            problem = nil
        } catch {
            problem = error
            socket = nil
            throw error
        }
    }

    private func open() throws(SystemCallError) {
        let now = SystemClock.monotonic()
        if now < nextAttempt, let problem { throw problem }
        nextAttempt = now + Self.pause
        socket = try DatagramSocket(sendingTo: address, port: port, interface: interface, hops: hops)
    }
}
