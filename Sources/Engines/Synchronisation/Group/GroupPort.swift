// SPDX-License-Identifier: Apache-2.0
import Network
import System
import Time
import Venue

/// The sockets of a group on one interface, by one family of addresses.
final class GroupPort {
    struct Place: Hashable {
        let interface: String
        let isIPv6: Bool

        /// Groups that routers do not pass on: of the site by IPv4, with a TTL of 1, and of the link by IPv6.
        var group: String { isIPv6 ? "ff12::544c:5347" : "239.255.84.83" }
    }

    static let port: UInt16 = 7_683
    private static let bufferOctets = 256 << 10

    let place: Place
    private let sending: SendingSocket
    /// When a datagram was received last. A box hears its own, too.
    private(set) var heard: Monotonic
    private let receiving: DatagramSocket

    init(at place: Place, now: Monotonic) throws(SystemCallError) {
        self.place = place
        heard = now
        sending = try SendingSocket(to: place.group, port: Self.port, interface: place.interface, hops: 1)
        receiving = try DatagramSocket(
            listeningTo: place.group, port: Self.port, interface: place.interface, bufferOctets: Self.bufferOctets)
    }

    var descriptor: CInt { receiving.rawValue }

    func send(_ octets: [UInt8]) throws(SystemCallError) {
        var failure: SystemCallError?
        octets.withUnsafeBytes { bytes in
            do throws(SystemCallError) { try sending.send(bytes) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// - Returns: the number of datagrams, which are in the batch.
    func receive(into batch: inout DatagramBatch, at now: Monotonic) throws(SystemCallError) -> Int {
        let count = try batch.receive(from: receiving, waits: false)
        if count > 0 { heard = now }
        return count
    }
}
