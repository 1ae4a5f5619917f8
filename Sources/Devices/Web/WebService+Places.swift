// SPDX-License-Identifier: Apache-2.0
internal import CLibWebSockets
import Glibc
import System

/// Listening sockets that were opened together.
struct WebDoor {
    /// nil if the owner opened the sockets.
    let place: WebPlace?
    /// The library's connections for the sockets.
    let handles: [OpaquePointer]
    let port: UInt16

    init(_ place: WebPlace?, _ handles: [OpaquePointer], port: UInt16) {
        self.place = place
        self.handles = handles
        self.port = port
    }
}

/// Where the service listens.
extension WebService {
    /// - Parameter port: another one than the place says; nil for that.
    func open(_ place: WebPlace, port: UInt16? = nil) throws(SystemCallError) {
        guard let context else { return }
        let listener = try place.open(port ?? place.port)
        doors.append(WebDoor(place, try adopt(listener, context), port: listener.port))
    }

    /// Gives the library the listening sockets, which are closed if that fails.
    func adopt(_ listener: TCPListener, _ context: WebContext) throws(SystemCallError) -> [OpaquePointer] {
        let listeners = listener.release()
        var handles: [OpaquePointer] = []
        for (index, listener) in listeners.enumerated() {
            var descriptor = lws_sock_file_fd_type()
            descriptor.filefd = listener
            let adopted = lws_adopt_descriptor_vhost(
                context.host, LWS_ADOPT_RAW_FILE_DESC, descriptor, context.name, nil)
            guard let adopted else {
                for listener in listeners[index...] { Glibc.close(listener) }
                throw SystemCallError("lws_adopt_descriptor_vhost", Errno(rawValue: ENOMEM))
            }
            handles.append(adopted)
        }
        return handles
    }

    /// What the old setup and the new one have in common stays open; what is new may need a port of what goes, so that
    /// this is closed first, and opened again if the new cannot be had.
    func apply(_ setup: WebSetup) {
        let before = doors
        let going = before.filter { door in !setup.places.contains { $0 == door.place } }
        let shown = identity
        do throws(SystemCallError) {
            if let identity = setup.identity { try show(identity) }
            for door in going { shut(door) }
            doors = before.filter { door in setup.places.contains { $0 == door.place } }
            for place in setup.places where !doors.contains(where: { $0.place == place }) { try open(place) }
            limits = setup.limits
            let isOther = Set(before.map(\.place)) != Set(setup.places.map(Optional.some)) || identity != shown
            if isOther { endOldConnections() }
            let ports = setup.places.map { place in doors.first { $0.place == place }?.port ?? 0 }
            exchange.report(.applied(.success(WebApplied(ports: ports, newestClient: isOther ? lastNumber : nil))))
        } catch {
            // It was shown before.
            if let shown { try? show(shown) }
            restore(before)
            exchange.report(.applied(.failure(error)))
        }
    }

    /// Clients come anew, by the setup that is in effect: a connection ends with the answer to its next request. WebSockets
    /// and streams stay.
    private func endOldConnections() {
        for connection in connections.values {
            connection.isOld = true
            connection.closesAfterAnswer = true
        }
    }

    private func restore(_ before: [WebDoor]) {
        let places = before.compactMap(\.place)
        for door in doors where !places.contains(where: { $0 == door.place }) { shut(door) }
        doors = doors.filter { door in places.contains { $0 == door.place } }
        for door in before {
            guard let place = door.place, !doors.contains(where: { $0.place == place }) else { continue }
            // The port was ours a moment ago. If somebody took it meanwhile, the owner is told of the failure anyway.
            try? open(place, port: door.port)
        }
    }

    /// The sockets are closed when this returns, so that their port is free.
    private func shut(_ door: WebDoor) {
        for handle in door.handles { lws_set_timeout(handle, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_SYNC) }
    }

    /// Accepts all pending connections; pauses for a second if there are no descriptors left.
    func acceptAll(from listener: OpaquePointer) {
        let isSecure = doors.first { $0.handles.contains(listener) }?.place?.isSecure ?? false
        do {
            while let accepted = try TCPListener.accept(lws_get_socket_fd(listener)) {
                add(accepted, isSecure: isSecure)
            }
        } catch {
            lws_rx_flow_control(listener, 0)
            lws_set_timer_usecs(listener, 1_000_000)
        }
    }

    func listenAgain(_ listener: OpaquePointer) { lws_rx_flow_control(listener, 1) }
}
