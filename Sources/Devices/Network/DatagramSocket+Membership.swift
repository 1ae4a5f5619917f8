// SPDX-License-Identifier: Apache-2.0
import CNetworkShims
import Glibc
import System

/// Memberships that change while the socket is read from by another thread.
extension DatagramSocket {
    /// Joins a group, from any source or from one. Several sources of a group are joined one after the other, at most 10
    /// (`net.ipv4.igmp_max_msf`); a socket has at most 20 groups of IPv4 (`net.ipv4.igmp_max_memberships`).
    /// - Parameter interface: index; 0: by the route.
    public func join(_ group: String, source: String? = nil, on interface: UInt32) throws(SystemCallError) {
        _ = try syscall("join \(source.map { "\($0)@" } ?? "")\(group) on \(interface)") {
            touchline_multicast_join(rawValue, group, source ?? "", interface)
        }
    }

    /// Hears a group that is joined from any source without this one.
    public func exclude(_ source: String, from group: String, on interface: UInt32) throws(SystemCallError) {
        _ = try syscall("exclude \(source) from \(group)") {
            touchline_multicast_block(rawValue, group, source, interface)
        }
    }

    /// Leaves a group with all its sources. The interface may have gone meanwhile.
    /// - Parameter interface: index, as it was joined on.
    public func leave(_ group: String, on interface: UInt32) throws(SystemCallError) {
        _ = try syscall("leave \(group) on \(interface)") {
            touchline_multicast_leave(rawValue, group, interface)
        }
    }

    /// Leaves one of the sources.
    public func leave(_ group: String, source: String, on interface: UInt32) throws(SystemCallError) {
        _ = try syscall("leave \(source)@\(group) on \(interface)") {
            touchline_multicast_leave_source(rawValue, group, source, interface)
        }
    }

    /// Takes the place of what this socket was, under the same descriptor: whoever reads from it reads from the new one
    /// with its next call. What the old one still held is lost.
    public func replace(by other: consuming DatagramSocket) throws(SystemCallError) {
        let successor = other.rawValue
        _ = try syscall("dup3") { touchline_replace(successor, rawValue) }
    }

    /// Whether it belongs to groups, not to hosts.
    public static func isMulticast(_ address: String) -> Bool { touchline_is_multicast(address) != 0 }

    /// - Returns: nil when no interface has the name.
    public static func interfaceIndex(_ name: String) -> UInt32? {
        let index = touchline_interface_index(name)
        return index > 0 ? index : nil
    }
}
