// SPDX-License-Identifier: Apache-2.0
import Buffers
import Network
import Synchronization
import System
import Time
import Venue

/// A socket of a channel and its group membership. The receive thread reads the socket and reports arrivals; everything
/// else is done by the control plane and never disturbs reading, since the descriptor stays the same.
final class Membership: Sendable {
    struct Endpoint: Hashable, Sendable {
        /// Numeric address; it is joined only if it is a multicast group.
        var address: String
        var port: UInt16
        /// Numeric addresses of interchangeable sources (SSM); empty to accept any source.
        var sources: [String] = []
        /// Sources whose datagrams are not accepted, when `sources` is empty.
        var excluded: [String] = []
        /// Name of the interface; empty: the route decides.
        var interface: String
    }

    private static let timeout = Nanoseconds.milliseconds(20)
    private static let never = Int64.min

    let endpoint: Endpoint
    /// Whether datagrams come here as long as the channel is sent at all, so that silence is a fault.
    let isExpected: Bool
    let selection: SourceSelection?
    let socket: DatagramSocket
    /// Index of the interface on which the group was first joined; 0 when the kernel chose it or the address is no
    /// group.
    let firstInterface: UInt32
    private let boundInterface: Atomic<UInt32>
    private let lastArrival = Atomic<Int64>(never)
    private let abandoned = StopFlag()

    /// Opens the socket and joins the group, from the first source if there are any.
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

    /// Whether the group's scope is one link or less (RFC 4291 §2.7): such an IPv6 socket is bound to its interface.
    private var isBoundToInterface: Bool {
        guard let address = NumericAddress(endpoint.address) else { return false }
        return address.isIPv6 && address.isMulticast && address.high >> 48 & 0xf <= 2
    }

    // MARK: Receive thread

    /// - Parameter arrival: arrival of the newest datagram that was taken from a batch.
    func heard(at arrival: Monotonic) { lastArrival.store(arrival.nanoseconds, ordering: .relaxed) }

    /// Nothing of use comes here. The socket is not read any more, and the next review leaves its group.
    func abandon() { abandoned.raise() }

    // MARK: Control plane

    /// Any thread.
    var isAbandoned: Bool { abandoned.isRaised }

    /// Arrival of the newest datagram; nil before the first.
    var heardAt: Monotonic? {
        let nanoseconds = lastArrival.load(ordering: .relaxed)
        return nanoseconds == Self.never ? nil : Monotonic(nanoseconds: nanoseconds)
    }

    /// - Parameter interface: index of the interface on which the group was joined.
    func leave(on interface: UInt32) {
        do {
            try socket.leave(endpoint.address, on: interface)
        } catch {
            // A new socket is a member of no group. If none can be opened, the old one stays and the next join reports
            // the error.
            try? remake(on: interface)
        }
    }

    /// - Parameter sources: indices into the endpoint's sources; all that are wanted at the same time.
    func join(sources: [Int], on interface: UInt32) throws(SystemCallError) {
        if isBoundToInterface, interface != boundInterface.load(ordering: .relaxed) {
            try remake(on: interface)
        }
        do {
            try Self.join(socket, endpoint, sources: sources.map { endpoint.sources[$0] }, on: interface)
        } catch {
            leave(on: interface)  // some of several sources may already be joined
            throw error
        }
    }

    func join(source: Int, on interface: UInt32) throws(SystemCallError) {
        try socket.join(endpoint.address, source: endpoint.sources[source], on: interface)
    }

    func leave(source: Int, on interface: UInt32) {
        // A source that is not joined, because the link went down meanwhile, need not be left.
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
