// SPDX-License-Identifier: Apache-2.0
import CNetworkShims
import Glibc
import System

/// Memberships that change while another thread reads from the socket.
extension DatagramSocket {
    /// Joins a group from any source or from one. Several sources of a group are joined one after the other, at most 10
    /// (`net.ipv4.igmp_max_msf`); a socket has at most 20 IPv4 groups (`net.ipv4.igmp_max_memberships`).
    /// - Parameter interface: index; 0 lets the route decide.
    public func join(_ group: String, source: String? = nil, on interface: UInt32) throws(SystemCallError) {
        _ = try syscall("join \(source.map { "\($0)@" } ?? "")\(group) on \(interface)") {
            touchline_multicast_join(rawValue, group, source ?? "", interface)
        }
    }

    /// Blocks one source of a group that is joined from any source.
    public func exclude(_ source: String, from group: String, on interface: UInt32) throws(SystemCallError) {
        _ = try syscall("exclude \(source) from \(group)") {
            touchline_multicast_block(rawValue, group, source, interface)
        }
    }

    /// Leaves a group with all its sources. The interface may have been removed meanwhile.
    /// - Parameter interface: index of the interface on which the group was joined.
    public func leave(_ group: String, on interface: UInt32) throws(SystemCallError) {
        _ = try syscall("leave \(group) on \(interface)") {
            touchline_multicast_leave(rawValue, group, interface)
        }
    }

    /// Leaves one source of a group.
    public func leave(_ group: String, source: String, on interface: UInt32) throws(SystemCallError) {
        _ = try syscall("leave \(source)@\(group) on \(interface)") {
            touchline_multicast_leave_source(rawValue, group, source, interface)
        }
    }

    /// Puts another socket under this socket's descriptor. A thread that reads from this socket reads from the new one
    /// with its next call. Datagrams still queued in the old socket are lost.
    public func replace(by other: consuming DatagramSocket) throws(SystemCallError) {
        let successor = other.rawValue
        _ = try syscall("dup3") { touchline_replace(successor, rawValue) }
    }

    /// Whether a numeric address is a multicast group's.
    public static func isMulticast(_ address: String) -> Bool { touchline_is_multicast(address) != 0 }

    /// - Returns: nil if no interface has this name.
    public static func interfaceIndex(_ name: String) -> UInt32? {
        let index = touchline_interface_index(name)
        return index > 0 ? index : nil
    }
}
