// SPDX-License-Identifier: Apache-2.0
import Casting
import Network
import System

/// The socket of one announcement group.
final class AnnouncementSender {
    let socket: DatagramSocket

    init(_ group: HeadEndConfiguration.Group, of configuration: HeadEndConfiguration) throws(SystemCallError) {
        socket = try DatagramSocket(
            sendingTo: group.address, port: group.port, interface: configuration.interface ?? "",
            hops: Int(configuration.hops))
    }
}
