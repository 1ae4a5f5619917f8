// SPDX-License-Identifier: Apache-2.0
import Casting
import Network
import System

/// Where one flow of a channel leaves by one path. Used by the sending thread alone.
final class CastSocket: Sendable {
    let flow: CastFlow
    private let socket: DatagramSocket

    /// - Parameter interface: of targets that say none.
    init(_ target: CastTarget, interface: String, hops: UInt8) throws(SystemCallError) {
        flow = target.flow
        socket = try DatagramSocket(
            sendingTo: target.address, port: target.port, interface: target.interface ?? interface, hops: Int(hops))
    }

    func send(_ bytes: UnsafeRawBufferPointer) throws(SystemCallError) { try socket.send(bytes) }
}
