// SPDX-License-Identifier: Apache-2.0
import Casting
import Network
import System

/// The socket by which one flow of a channel is sent on one path. Used by the sending thread alone.
final class CastSocket {
    let flow: CastFlow
    private let socket: SendingSocket
    /// Why the last datagram was not sent; nil if it was.
    var problem: SystemCallError? { socket.problem }

    /// - Parameter interface: interface of targets that have none of their own.
    init(_ target: CastTarget, interface: String, hops: UInt8) throws(SystemCallError) {
        flow = target.flow
        socket = try SendingSocket(
            to: target.address, port: target.port, interface: target.interface ?? interface, hops: Int(hops))
    }

    func send(_ bytes: UnsafeRawBufferPointer) throws(SystemCallError) { try socket.send(bytes) }
}
