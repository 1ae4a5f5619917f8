// SPDX-License-Identifier: Apache-2.0
import CNetworkShims
import Glibc
import System
import Time

/// A UDP socket that receives from one group or address and stays a member until it is closed, or one that sends.
public struct DatagramSocket: ~Copyable, Sendable {
    let descriptor: FileDescriptor

    public var rawValue: CInt { descriptor.rawValue }

    /// Binds to the group's own address, so that no other group on the same port is received, and joins the group.
    /// - Parameters:
    ///   - address: numeric; a multicast group is joined, any other address is only bound.
    ///   - source: the only source to join (SSM); nil joins any source.
    ///   - excluded: sources of the group that are blocked, numeric, of the group's family; ignored with a `source`.
    ///   - interface: name; empty lets the route decide, and without one takes the only interface that there is.
    ///   - timeout: how long a receive waits (SO_RCVTIMEO).
    public init(
        listeningTo address: String, port: UInt16, source: String? = nil, excluding excluded: [String] = [],
        interface: String = "",
        timeout: Nanoseconds = .milliseconds(100), bufferOctets: Int = 4 << 20
    ) throws(SystemCallError) {
        let index = try Self.index(of: interface, toward: address)
        let made = FileDescriptor(
            adopting: try syscall("bind udp \(address):\(port)") {
                touchline_udp_bind(address, port, index, CInt(clamping: bufferOctets))
            })
        if touchline_is_multicast(address) != 0 {
            _ = try syscall("join \(address) on '\(interface)'") {
                touchline_multicast_join(made.rawValue, address, source ?? "", index)
            }
            for stranger in source == nil ? excluded : [] {
                _ = try syscall("exclude \(stranger) from \(address)") {
                    touchline_multicast_block(made.rawValue, address, stranger, index)
                }
            }
        }
        _ = try syscall("SO_RCVTIMEO") {
            touchline_set_receive_timeout(made.rawValue, CInt(clamping: max(1, timeout.milliseconds)))
        }
        descriptor = made
    }

    /// Binds to a group or an address without joining it.
    /// - Parameters:
    ///   - interface: index; 0 for any. Only groups of link-local scope are bound to it.
    ///   - timeout: how long a receive waits (SO_RCVTIMEO).
    public init(
        boundTo address: String, port: UInt16, interface: UInt32, timeout: Nanoseconds = .milliseconds(100),
        bufferOctets: Int = 4 << 20
    ) throws(SystemCallError) {
        let made = FileDescriptor(
            adopting: try syscall("bind udp \(address):\(port)") {
                touchline_udp_bind(address, port, interface, CInt(clamping: bufferOctets))
            })
        _ = try syscall("SO_RCVTIMEO") {
            touchline_set_receive_timeout(made.rawValue, CInt(clamping: max(1, timeout.milliseconds)))
        }
        descriptor = made
    }

    /// Connects for sending; no group is joined.
    /// - Parameter hops: multicast TTL, 1...255.
    public init(
        sendingTo address: String, port: UInt16, interface: String = "", hops: Int = 16
    ) throws(SystemCallError) {
        let index = try Self.index(of: interface, toward: address)
        descriptor = FileDescriptor(
            adopting: try syscall("connect udp \(address):\(port)") {
                touchline_udp_connect(address, port, index, CInt(clamping: hops))
            })
    }

    /// Sends one datagram. ECONNREFUSED, which reports that nobody received an earlier datagram, is not an error for a
    /// sender.
    public func send(_ bytes: UnsafeRawBufferPointer) throws(SystemCallError) {
        do {
            _ = try syscall("send") { touchline_send(descriptor.rawValue, bytes.baseAddress, bytes.count) }
        } catch  where error.code == .refused {
            return
        }
    }

    /// The numeric address that this socket sends from; nil if the kernel does not report it.
    public var ownAddress: String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
            text.initialize(repeating: 0)
            guard let base = text.baseAddress, touchline_own_address(descriptor.rawValue, base, 64) == 0 else {
                return nil
            }
            return String(cString: base)
        }
    }

    /// - Parameter interface: name; empty for that at which a group is.
    /// - Returns: 0 to let the kernel choose.
    private static func index(of interface: String, toward address: String) throws(SystemCallError) -> UInt32 {
        if interface.isEmpty { return isMulticast(address) ? RouteLookup.interface(toward: address) ?? 0 : 0 }
        let index = touchline_interface_index(interface)
        guard index > 0 else { throw SystemCallError("interface \(interface)", .noDevice) }
        return index
    }
}
