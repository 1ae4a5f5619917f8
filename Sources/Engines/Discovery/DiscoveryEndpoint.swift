// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Network
import System
import Time
import Venue

/// Sends and receives SSDP on one interface, whose address may come, change and go: with one socket for the group, and
/// one of its own for what goes out and what is answered to that.
///
/// It takes few datagrams at a time and rests when there are more, so that a flood costs the loop little.
/// - Thread: the loop's only.
final class DiscoveryEndpoint {
    struct Counters: Hashable, Sendable {
        var sendFailures: UInt64 = 0
        /// Times that more came than is read at once.
        var rests: UInt64 = 0
        /// Times that the sockets could not be opened, or failed.
        var socketFailures: UInt64 = 0
    }

    /// A datagram, its sender and whether that is in a network of the interface.
    typealias Received = (UnsafeRawBufferPointer, DatagramPeer, Bool) -> Void

    /// Two sockets that live and go together.
    private struct Sockets {
        let group: GroupSocket
        let own: StampedSocket
        let watches: [EventLoop.Watch]
    }

    /// A reference to the socket of the group.
    private final class GroupSocket {
        let socket: DatagramSocket
        init(on interface: String) throws(SystemCallError) {
            socket = try DatagramSocket(
                listeningTo: "\(DiscoveryMessage.address)", port: DiscoveryMessage.port, interface: interface,
                bufferOctets: 256 << 10)
        }
    }

    private static let mostDatagrams = 32
    private static let restTime = Nanoseconds.milliseconds(100)
    /// How often the interface's addresses are looked at.
    private static let lookPause = Nanoseconds.seconds(2)

    private let interface: String
    private let wanted: NumericAddress?
    private let loop: EventLoop
    /// A datagram of the longest message and one octet more, which says that it is too long.
    private var batch = DatagramBatch(slots: DiscoveryEndpoint.mostDatagrams, octets: DiscoveryMessage.longest + 1)
    private var networks: [InterfaceNetwork] = []
    private var sockets: Sockets?
    private var timer: EventLoop.Timer?
    private var restTimer: EventLoop.Timer?
    private(set) var counters = Counters()
    /// nil while there is no socket.
    private(set) var address: NumericAddress?
    /// Why there is no socket; nil if there is one, or the interface has no address.
    private(set) var problem: SystemCallError?
    var received: Received = { _, _, _ in }
    /// Called when the sockets have been opened, at first and with another address.
    var opened: () -> Void = {}

    /// - Parameters:
    ///   - interface: name.
    ///   - address: of the interface; nil for its first one.
    init(on interface: String, address: NumericAddress? = nil, loop: EventLoop) {
        (self.interface, self.wanted, self.loop) = (interface, address, loop)
    }

    func start() {
        timer = loop.every(Self.lookPause) { [weak self] in self?.look() }
        look()
    }

    func stop() {
        if let timer { loop.cancel(timer) }
        timer = nil
        close()
    }

    /// Sends to everybody on the link.
    func announce(_ octets: [UInt8]) {
        send(octets, to: DatagramPeer(DiscoveryMessage.address, port: DiscoveryMessage.port))
    }

    func send(_ octets: [UInt8], to peer: DatagramPeer) {
        do throws(SystemCallError) {
            _ = try sockets?.own.send(octets, to: peer, isStamped: false)
        } catch {
            counters.sendFailures += 1
        }
    }

    private func look() {
        networks = InterfaceNetwork.all(of: interface)
        let found = networks.first { wanted == nil || $0.address == wanted }?.address
        guard found != address || sockets == nil else { return }
        close()
        guard let found else { return }
        do throws(SystemCallError) {
            try open(at: found)
            (address, problem) = (found, nil)
            opened()
        } catch {
            counters.socketFailures += 1
            problem = error
        }
    }

    private func open(at address: NumericAddress) throws(SystemCallError) {
        let group = try GroupSocket(on: interface)
        let own = try StampedSocket(boundTo: DatagramPeer(address, port: 0))
        let first = try loop.watch(group.socket.rawValue, for: .readable) { [weak self] _ in self?.readGroup() }
        do throws(SystemCallError) {
            let second = try loop.watch(own.rawValue, for: .readable) { [weak self] _ in self?.readOwn() }
            sockets = Sockets(group: group, own: own, watches: [first, second])
        } catch {
            loop.unwatch(first)
            throw error
        }
    }

    private func close() {
        if let restTimer { loop.cancel(restTimer) }
        restTimer = nil
        for watch in sockets?.watches ?? [] { loop.unwatch(watch) }
        (sockets, address) = (nil, nil)
    }

    private func readGroup() {
        guard let group = sockets?.group else { return }
        read { (batch: inout DatagramBatch) throws(SystemCallError) -> Int in
            try batch.receive(from: group.socket, waits: false)
        }
    }

    private func readOwn() {
        guard let own = sockets?.own else { return }
        read { (batch: inout DatagramBatch) throws(SystemCallError) -> Int in try own.receive(into: &batch) }
    }

    private func read(_ receive: (inout DatagramBatch) throws(SystemCallError) -> Int) {
        let count: Int
        do throws(SystemCallError) {
            count = try receive(&batch)
        } catch {
            // The next look opens them again.
            counters.socketFailures += 1
            problem = error
            return close()
        }
        for index in 0..<count {
            let peer = batch.peer(index)
            let isOnLink = networks.contains { $0.contains(peer.address) }
            batch.withBytes(index) { received($0, peer, isOnLink) }
        }
        if count == Self.mostDatagrams { rest() }
    }

    /// What comes meanwhile waits in the kernel, which drops what is too much.
    private func rest() {
        guard let sockets, restTimer == nil else { return }
        counters.rests += 1
        for watch in sockets.watches { modify(watch, for: []) }
        restTimer = loop.after(Self.restTime) { [weak self] in
            guard let self else { return }
            restTimer = nil
            for watch in self.sockets?.watches ?? [] { modify(watch, for: .readable) }
        }
    }

    private func modify(_ watch: EventLoop.Watch, for readiness: EventLoop.Readiness) {
        do throws(SystemCallError) {
            try loop.modify(watch, for: readiness)
        } catch {
            counters.socketFailures += 1
            problem = error
            close()
        }
    }
}
