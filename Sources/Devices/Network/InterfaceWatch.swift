// SPDX-License-Identifier: Apache-2.0
import Bytes
import CNetworkShims
import Glibc
import System

/// Hears from the kernel (rtnetlink) when interfaces come and go, and keeps how they are. Never waits: its descriptor is
/// for the loop of the thread that owns it.
public final class InterfaceWatch {
    /// As much as the kernel puts into one datagram.
    private static let largestDatagram = 65_536
    /// Datagrams of one `read`; the loop comes again for more.
    private static let mostDatagrams = 1_000

    private let descriptor: FileDescriptor
    private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: largestDatagram, alignment: 4)
    public private(set) var links = LinkState()
    private var listing = Listing.none
    /// Something was lost meanwhile.
    private var listsAgain = false

    /// What the kernel is telling from the beginning.
    private enum Listing { case none, links, addresses }

    /// The links are known when it returns.
    public init() throws(SystemCallError) {
        descriptor = FileDescriptor(adopting: try syscall("netlink socket") { touchline_netlink_open(1) })
        try list()
        _ = try read()
    }

    deinit { memory.deallocate() }

    /// Readable whenever `read` has something to do.
    public var rawValue: CInt { descriptor.rawValue }

    /// Takes what is there.
    /// - Returns: what has changed, in order; routes once.
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
                try list()  // something was lost
                continue
            }
            try take(UnsafeRawBufferPointer(rebasing: memory[..<count]), &changes)
        }
        return changes
    }

    private func take(_ bytes: UnsafeRawBufferPointer, _ changes: inout [LinkChange]) throws(SystemCallError) {
        // What cannot be read is taken for lost.
        guard let messages = try? NetlinkMessage.parse(bytes) else { return try list() }
        for message in messages {
            if message == .done {
                changes += try listEnded()
            } else if case .failed = message {
                listing = .none  // asked for again with the next loss
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
