// SPDX-License-Identifier: Apache-2.0
import Casting
import Network
import System
import Time
import Venue

/// The announcements of all channels on one SAP group.
final class GroupAnnouncer {
    let group: HeadEndConfiguration.Group
    private let socket: DatagramSocket
    private var announcer: Announcer
    private(set) var sent = 0
    private(set) var refused = 0

    init(
        _ group: HeadEndConfiguration.Group, of configuration: HeadEndConfiguration, interface: String, version: UInt64,
        start: Monotonic
    ) throws(SystemCallError) {
        self.group = group
        socket = try DatagramSocket(
            sendingTo: group.address, port: group.port, interface: interface, hops: Int(configuration.hops))
        let origin = socket.ownAddress.flatMap { NumericAddress($0) } ?? NumericAddress(v4: 0x7f00_0001)
        announcer = Announcer(
            configuration.channels.map { ($0.announcement, $0.described) }, origin: origin, version: version,
            hops: configuration.hops,
            start: start)
    }

    func sendDue(at now: Monotonic) { send(announcer.due(at: now)) }

    func sendDeletions() { send(announcer.deletions) }

    private func send(_ datagrams: [[UInt8]]) {
        for datagram in datagrams {
            do {
                try datagram.withUnsafeBytes { try socket.send($0) }
                sent += 1
            } catch {
                refused += 1  // the next announcement comes soon
            }
        }
    }
}
