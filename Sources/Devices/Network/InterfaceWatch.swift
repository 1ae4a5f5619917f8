// SPDX-License-Identifier: Apache-2.0
import NetlinkMessages
import System

/// Follows the state of the interfaces by rtnetlink and reports each that comes or goes. It never waits.
/// - Thread: one, whose event loop polls the descriptor.
public final class InterfaceWatch {
    /// Limit on the datagrams of one `read`; the loop calls again for more.
    private static let mostDatagrams = 1_000

    /// The groups of links, addresses and routes, of IPv4 and IPv6 (RTMGRP_LINK, _IPV4_IFADDR, _IPV4_ROUTE, _IPV6_IFADDR,
    /// _IPV6_ROUTE).
    private static let groups: UInt32 = 0x1 | 0x10 | 0x40 | 0x100 | 0x400

    private let socket: NetlinkSocket
    public private(set) var links = LinkState()
    private var listing = Listing.none
    /// A message was lost during a listing, so another listing follows.
    private var listsAgain = false

    /// Which list (RTM_GETLINK, RTM_GETADDR) the kernel is sending.
    private enum Listing { case none, links, addresses }

    /// Returns once the links are known.
    public init() throws(SystemCallError) {
        socket = try NetlinkSocket(.route, groups: Self.groups)
        try list()
        _ = try read()
    }

    /// Readable whenever `read` has something to do.
    public var rawValue: CInt { socket.rawValue }

    /// Reads the messages that are queued, without waiting.
    /// - Returns: changes in order; a change of routes appears once.
    public func read() throws(SystemCallError) -> [LinkChange] {
        var changes: [LinkChange] = []
        for _ in 0..<Self.mostDatagrams {
            switch try socket.receive() {
            case .nothing: return changes
            case .lost: try list()
            case .datagram(let bytes): try take(bytes, &changes)
            }
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
        try socket.send(RouteRequest.links.octets)
    }

    private func listEnded() throws(SystemCallError) -> [LinkChange] {
        switch listing {
        case .none: return []
        case .links:
            listing = .addresses
            try socket.send(RouteRequest.addresses.octets)
            return links.readingEnded()
        case .addresses:
            links.addressesEnded()
            listing = .none
            if listsAgain {
                listsAgain = false
                try list()
            }
            return []
        }
    }
}
