// SPDX-License-Identifier: Apache-2.0
import CNetworkShims
import Glibc
import System
import Venue

/// Sends ICMP echo requests to one host and receives what comes of them, without a right of its own: an ICMP datagram
/// socket of Linux, which sends nothing else. It never waits.
/// - Thread: one.
public struct EchoSocket: ~Copyable {
    /// What came.
    public enum Heard: Equatable, Sendable {
        /// A message of ICMP or ICMPv6, from its type on.
        case message([UInt8])
        /// A request was not delivered.
        case problem(Problem)
    }

    public struct Problem: Equatable, Sendable {
        /// The request that it concerns, from its type on; perhaps cut.
        public let request: [UInt8]
        public let code: Errno
        /// Type and code of the ICMP message that reports it; nil if this machine's kernel says so by itself.
        public let report: (type: UInt8, code: UInt8)?
        /// The host or router that reports it; nil if unknown.
        public let reporter: NumericAddress?

        public static func == (a: Problem, b: Problem) -> Bool {
            a.request == b.request && a.code == b.code && a.report?.type == b.report?.type
                && a.report?.code == b.report?.code && a.reporter == b.reporter
        }
    }

    private let descriptor: FileDescriptor

    /// - Parameter peer: its port does not matter.
    /// - Throws: EACCES by the call `opening` if the group of this process is not in net.ipv4.ping_group_range.
    public init(to peer: DatagramPeer) throws(SystemCallError) {
        var address = DatagramPeer(peer.address, port: 0, interface: peer.interface).shim
        let made = FileDescriptor(
            adopting: try syscall(Self.opening) { touchline_echo_socket(peer.address.isIPv6 ? 1 : 0) })
        _ = try syscall("connect icmp to \(peer.address)") { touchline_echo_connect(made.rawValue, &address) }
        descriptor = made
    }

    /// The call that fails with EACCES where this process may not send echo requests.
    public static let opening = "socket icmp"

    public var rawValue: CInt { descriptor.rawValue }

    /// Sends one message. The kernel writes its identifier and its checksum.
    public func send(_ octets: [UInt8]) throws(SystemCallError) {
        // What an earlier request met with is in the error queue, and is no failure of this one.
        _ = touchline_pending_error(rawValue)
        _ = try syscall("send icmp") { touchline_send(rawValue, octets, octets.count) }
    }

    /// - Returns: nil if nothing is there now.
    public func receive() -> Heard? {
        var octets = [UInt8](repeating: 0, count: 2_048)
        var problem = touchline_delivery_problem()
        // A receive that fails reports what the error queue has as well, so both are looked at twice.
        for _ in 0..<2 {
            let count = recv(rawValue, &octets, octets.count, CInt(MSG_DONTWAIT))
            if count >= 0 { return .message(Array(octets[..<count])) }
            let failed = touchline_echo_problem(rawValue, &octets, octets.count, &problem)
            guard failed >= 0 else { continue }
            return .problem(
                Problem(
                    request: Array(octets[..<failed]), code: Errno(rawValue: problem.error),
                    report: problem.is_reported == 0 ? nil : (problem.type, problem.code),
                    reporter: problem.reporter.family == 0 ? nil : DatagramPeer(problem.reporter).address))
        }
        return nil
    }
}
