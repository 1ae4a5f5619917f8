// SPDX-License-Identifier: Apache-2.0
import Network
import SignedEnvelopes
import System
import Time

/// A place where group commands come, for as long as the settings name it. While its socket cannot be opened, and when its
/// interface has become another one, it is opened again.
/// - Thread: the control loop's only.
final class GroupCommandPort {
    /// Datagrams that are read at once. After as many the port rests, so that a flood costs the loop little.
    private static let most = 64
    private static let rest = Nanoseconds.milliseconds(20)
    private static let bufferOctets = 512 << 10

    /// A socket that is a member of the group.
    private final class Membership {
        let socket: DatagramSocket
        let interface: UInt32?
        var watch: EventLoop.Watch?

        init(_ socket: consuming DatagramSocket, on interface: UInt32?) {
            self.socket = socket
            self.interface = interface
        }
    }

    let place: GroupCommandSettings.Listening
    /// Empty if the route decides.
    let interface: String
    private let loop: EventLoop
    private let received: ([UInt8]?, String) -> Void
    private var membership: Membership?
    private var batch: DatagramBatch
    /// Why there is no socket; nil if there is one.
    private(set) var problem: String?
    private(set) var rests = 0

    /// - Parameters:
    ///   - interface: for a place that names none; empty if the route decides.
    ///   - received: is given the octets and the sender's address of each datagram; no octets if it is too long.
    init(
        at place: GroupCommandSettings.Listening, interface: String, loop: EventLoop,
        received: @escaping ([UInt8]?, String) -> Void
    ) {
        self.place = place
        self.interface = place.interface.isEmpty ? interface : place.interface
        self.loop = loop
        self.received = received
        batch = DatagramBatch(slots: Self.most, octets: SignedCommand.mostEnvelopeOctets)
        refresh()
    }

    /// Called once a second.
    func refresh() {
        let current =
            interface.isEmpty
            ? RouteLookup.interface(toward: place.address) : DatagramSocket.interfaceIndex(interface)
        if let membership, membership.interface == current { return }
        close()
        do throws(SystemCallError) {
            let socket = try DatagramSocket(
                listeningTo: place.address, port: place.port, interface: interface, bufferOctets: Self.bufferOctets)
            let opened = Membership(socket, on: current)
            try listen(to: opened)
            membership = opened
            problem = nil
        } catch {
            problem = "\(error)"
        }
    }

    func close() {
        if let watch = membership?.watch { loop.unwatch(watch) }
        membership = nil
    }

    private func listen(to membership: Membership) throws(SystemCallError) {
        membership.watch = try loop.watch(membership.socket.rawValue, for: .readable) { [weak self] _ in
            self?.receive()
        }
    }

    private func receive() {
        guard let membership else { return }
        var datagrams: [(octets: [UInt8]?, source: String)] = []
        do throws(SystemCallError) {
            let count = try batch.receive(from: membership.socket, waits: false)
            for index in 0..<count {
                let octets = batch.isTruncated(index) ? nil : batch.withBytes(index) { Array($0) }
                datagrams.append((octets, batch.source(index)))
            }
            if count == Self.most { rest(membership) }
        } catch {
            problem = "\(error)"
            close()
        }
        for datagram in datagrams { received(datagram.octets, datagram.source) }
    }

    private func rest(_ membership: Membership) {
        if let watch = membership.watch { loop.unwatch(watch) }
        membership.watch = nil
        rests += 1
        _ = loop.after(Self.rest) { [weak self] in
            guard let self, self.membership === membership else { return }
            do throws(SystemCallError) {
                try listen(to: membership)
            } catch {
                problem = "\(error)"
                close()
            }
        }
    }
}
