// SPDX-License-Identifier: Apache-2.0
import Network
import Synchronization
import System
import Time
import Venue

/// A socket of a channel and what it is a member of. The receive thread reads from it and says what it heard; all else is
/// the control plane's, and never disturbs the reading: the descriptor stays the same.
final class Membership: Sendable {
    struct Endpoint: Hashable, Sendable {
        /// Numeric; not joined when it is no group.
        var address: String
        var port: UInt16
        /// Any of these, which send the same; empty: from anybody.
        var sources: [String] = []
        /// Not heard, without `sources`.
        var excluded: [String] = []
        /// Name; empty: by the route.
        var interface: String
    }

    private static let timeout = Nanoseconds.milliseconds(20)
    private static let never = Int64.min

    let endpoint: Endpoint
    /// Data come here as long as the channel is sent at all.
    let isExpected: Bool
    let selection: SourceSelection?
    let socket: DatagramSocket
    /// The interface on which it was joined at first; 0: by the kernel's choice, or no group.
    let firstInterface: UInt32
    private let boundInterface: Atomic<UInt32>
    private let lastArrival = Atomic<Int64>(never)

    /// Joins the first source.
    init(
        joining endpoint: Endpoint, isExpected: Bool, selection: SourceSelection? = nil
    ) throws(SystemCallError) {
        self.endpoint = endpoint
        self.isExpected = isExpected
        self.selection = selection
        let isGroup = DatagramSocket.isMulticast(endpoint.address)
        var index: UInt32 = 0
        if !endpoint.interface.isEmpty {
            guard let named = DatagramSocket.interfaceIndex(endpoint.interface) else {
                throw SystemCallError("interface \(endpoint.interface)", .noDevice)
            }
            index = named
        } else if isGroup {
            index = RouteLookup.interface(toward: endpoint.address) ?? 0
        }
        let made = try DatagramSocket(
            boundTo: endpoint.address, port: endpoint.port, interface: index, timeout: Self.timeout)
        if isGroup { try Self.join(made, endpoint, sources: endpoint.sources.first.map { [$0] } ?? [], on: index) }
        firstInterface = index
        boundInterface = Atomic(index)
        socket = made
    }

    var isGroup: Bool { DatagramSocket.isMulticast(endpoint.address) }

    /// Groups of IPv6 with a scope of one link or less (RFC 4291 §2.7).
    private var isBoundToInterface: Bool {
        guard let address = NumericAddress(endpoint.address) else { return false }
        return address.isIPv6 && address.isMulticast && address.high >> 48 & 0xf <= 2
    }

    // MARK: Receive thread

    /// - Parameter arrival: of a batch's newest datagram that was taken.
    func heard(at arrival: Monotonic) { lastArrival.store(arrival.nanoseconds, ordering: .relaxed) }

    // MARK: Control plane

    /// Of the newest datagram; nil: none came yet.
    var heardAt: Monotonic? {
        let nanoseconds = lastArrival.load(ordering: .relaxed)
        return nanoseconds == Self.never ? nil : Monotonic(nanoseconds: nanoseconds)
    }

    /// - Parameter interface: index, as it was joined on.
    func leave(on interface: UInt32) {
        do {
            try socket.leave(endpoint.address, on: interface)
        } catch {
            // A new socket is no member of anything. Without one the old stays, and joining it again tells why not.
            try? remake(on: interface)
        }
    }

    /// - Parameter sources: indices of the endpoint's; all that are wanted at once.
    func join(sources: [Int], on interface: UInt32) throws(SystemCallError) {
        if isBoundToInterface, interface != boundInterface.load(ordering: .relaxed) {
            try remake(on: interface)
        }
        do {
            try Self.join(socket, endpoint, sources: sources.map { endpoint.sources[$0] }, on: interface)
        } catch {
            leave(on: interface)  // of several sources some may be joined
            throw error
        }
    }

    func join(source: Int, on interface: UInt32) throws(SystemCallError) {
        try socket.join(endpoint.address, source: endpoint.sources[source], on: interface)
    }

    func leave(source: Int, on interface: UInt32) {
        // One that is not joined, since the link went meanwhile, need not be left.
        try? socket.leave(endpoint.address, source: endpoint.sources[source], on: interface)
    }

    private func remake(on interface: UInt32) throws(SystemCallError) {
        try socket.replace(
            by: DatagramSocket(
                boundTo: endpoint.address, port: endpoint.port, interface: interface, timeout: Self.timeout))
        boundInterface.store(interface, ordering: .relaxed)
    }

    private static func join(
        _ socket: borrowing DatagramSocket, _ endpoint: Endpoint, sources: [String], on interface: UInt32
    ) throws(SystemCallError) {
        guard sources.isEmpty else {
            for source in sources { try socket.join(endpoint.address, source: source, on: interface) }
            return
        }
        try socket.join(endpoint.address, on: interface)
        for stranger in endpoint.excluded { try socket.exclude(stranger, from: endpoint.address, on: interface) }
    }
}
