// SPDX-License-Identifier: Apache-2.0
import CNetworkShims
import Glibc
import NetlinkMessages
import System

/// Follows the state of the interfaces by rtnetlink and reports each that comes or goes. It never waits.
/// - Thread: one, whose event loop polls the descriptor.
public final class InterfaceWatch {
    /// Octets; the kernel puts no more into one datagram.
    private static let largestDatagram = 65_536
    /// Limit on the datagrams of one `read`; the loop calls again for more.
    private static let mostDatagrams = 1_000

    private let descriptor: FileDescriptor
    private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: largestDatagram, alignment: 4)
    public private(set) var links = LinkState()
    private var listing = Listing.none
    /// A message was lost during a listing, so another listing follows.
    private var listsAgain = false

    /// Which list (RTM_GETLINK, RTM_GETADDR) the kernel is sending.
    private enum Listing { case none, links, addresses }

    /// Returns once the links are known.
    public init() throws(SystemCallError) {
        descriptor = FileDescriptor(adopting: try syscall("netlink socket") { touchline_netlink_open(1) })
        try list()
        _ = try read()
    }

    deinit { memory.deallocate() }

    /// Readable whenever `read` has something to do.
    public var rawValue: CInt { descriptor.rawValue }

    /// Reads the messages that are queued, without waiting.
    /// - Returns: changes in order; a change of routes appears once.
    public func read() throws(SystemCallError) -> [LinkChange] {
        var changes: [LinkChange] = []
        for _ in 0..<Self.mostDatagrams {
            let count = touchline_netlink_receive(descriptor.rawValue, memory.baseAddress, memory.count)
            guard count >= 0 else {
                let code = Errno.current
                if code == .wouldBlock { break }
                if code == .interrupted { continue }
                guard code.rawValue == ENOBUFS || code.rawValue == EMSGSIZE else {
                    throw SystemCallError("recvmsg netlink", code)
                }
                try list()  // messages were lost
                continue
            }
            try take(UnsafeRawBufferPointer(rebasing: memory[..<count]), &changes)
        }
        return changes
    }

    private func take(_ bytes: UnsafeRawBufferPointer, _ changes: inout [LinkChange]) throws(SystemCallError) {
        // A datagram that cannot be parsed counts as lost.
        guard let messages = try? NetlinkMessage.parse(bytes) else { return try list() }
        for message in messages {
            if message == .done {
                changes += try listEnded()
            } else if case .failed = message {
                listing = .none  // the next loss starts another listing
            } else if let change = links.apply(message), change != .routes || !changes.contains(.routes) {
                changes.append(change)
            }
        }
    }

    private func list() throws(SystemCallError) {
        guard listing == .none else {
            listsAgain = true
            return
        }
        listing = .links
        links.readingBegan()
        _ = try syscall("netlink list links") { touchline_netlink_list(descriptor.rawValue, 0) }
    }

    private func listEnded() throws(SystemCallError) -> [LinkChange] {
        switch listing {
        case .none: return []
        case .links:
            listing = .addresses
            _ = try syscall("netlink list addresses") { touchline_netlink_list(descriptor.rawValue, 1) }
            return links.readingEnded()
        case .addresses:
            listing = .none
            if listsAgain {
                listsAgain = false
                try list()
            }
            return []
        }
    }
}
