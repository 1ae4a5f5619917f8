// SPDX-License-Identifier: Apache-2.0
import CSystemShims
import Glibc

/// Talks with the kernel by netlink. It never waits.
/// - Thread: one.
public final class NetlinkSocket {
    public enum Family: Sendable {
        /// Links, addresses and routes (rtnetlink).
        case route
        /// Families with names, such as nl80211 and ethtool.
        case generic

        fileprivate var number: CInt {
            switch self {
            case .route: 0  // NETLINK_ROUTE
            case .generic: 16  // NETLINK_GENERIC
            }
        }
    }

    /// What a call of `receive` found.
    public enum Received {
        /// Nothing is queued.
        case nothing
        /// The kernel had more to say than the socket holds.
        case lost
        /// One datagram. The memory is valid until the next call.
        case datagram(UnsafeRawBufferPointer)
    }

    /// Octets; the kernel puts no more into one datagram.
    private static let largestDatagram = 65_536

    private let descriptor: FileDescriptor
    private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: largestDatagram, alignment: 8)

    /// - Parameter groups: bits of the first 32 groups of the family that are listened to.
    public init(_ family: Family, groups: UInt32 = 0) throws(SystemCallError) {
        descriptor = FileDescriptor(
            adopting: try syscall("netlink socket") { touchline_netlink_open(family.number, groups) })
    }

    deinit { memory.deallocate() }

    /// Readable whenever `receive` finds something.
    public var rawValue: CInt { descriptor.rawValue }

    /// Listens to a group, by its number.
    public func join(_ group: UInt32) throws(SystemCallError) {
        _ = try syscall("netlink join \(group)") { touchline_netlink_join(descriptor.rawValue, group) }
    }

    /// Sends a request to the kernel.
    public func send(_ octets: [UInt8]) throws(SystemCallError) {
        _ = try syscall("netlink send") {
            octets.withUnsafeBytes { Glibc.send(descriptor.rawValue, $0.baseAddress, $0.count, 0) }
        }
    }

    public func receive() throws(SystemCallError) -> Received {
        while true {
            let count = touchline_netlink_receive(descriptor.rawValue, memory.baseAddress, memory.count)
            guard count < 0 else {
                if count == 0 { continue }  // not sent by the kernel
                return .datagram(UnsafeRawBufferPointer(rebasing: memory[..<count]))
            }
            let code = Errno.current
            if code == .wouldBlock { return .nothing }
            if code == .interrupted { continue }
            guard code.rawValue == ENOBUFS || code.rawValue == EMSGSIZE else {
                throw SystemCallError("recvmsg netlink", code)
            }
            return .lost
        }
    }
}
