// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Hears a few neighbouring UDP ports of loopback, on a thread of its own, and keeps all that comes in its order.
final class DatagramCapture: @unchecked Sendable {
    // Sendable: `kept` and `isEnded` are touched under `lock` only; the rest does not change.
    struct Datagram {
        /// Ports above the first.
        let offset: Int
        let bytes: [UInt8]
    }

    let port: UInt16
    private let sockets: [Int32]
    private let lock = NSLock()
    private var kept: [Datagram] = []
    private var isEnded = false

    /// - Parameter count: ports, from an even one that is free with those behind it.
    init(ports count: Int) throws {
        for _ in 0..<50 {
            let first = UInt16.random(in: 10_000...15_000) * 2
            let sockets = (0..<count).compactMap { Self.bound(to: first + UInt16($0)) }
            if sockets.count == count {
                (port, self.sockets) = (first, sockets)
                Thread.detachNewThread { [self] in run() }
                return
            }
            for one in sockets { close(one) }
        }
        throw VenueError("no \(count) free ports")
    }

    var datagrams: [Datagram] { lock.withLock { kept } }

    /// No more is heard; the ports are free soon after.
    func end() { lock.withLock { isEnded = true } }

    /// Whether somebody has the port.
    static func isTaken(_ port: UInt16) -> Bool {
        guard let mine = bound(to: port) else { return true }
        close(mine)
        return false
    }

    private static func bound(to port: UInt16) -> Int32? {
        let made = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard made >= 0 else { return nil }
        // As much as the system allows: a sender that does not pace itself is heard whole.
        var size: Int32 = 8 << 20
        setsockopt(made, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(made, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if result == 0 { return made }
        close(made)
        return nil
    }

    private func run() {
        var polled = sockets.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !lock.withLock({ isEnded }) {
            guard poll(&polled, nfds_t(polled.count), 50) > 0 else { continue }
            for (offset, one) in polled.enumerated() where one.revents & Int16(POLLIN) != 0 {
                let count = recv(one.fd, &buffer, buffer.count, 0)
                guard count > 0 else { continue }
                lock.withLock { kept.append(Datagram(offset: offset, bytes: Array(buffer[..<count]))) }
            }
        }
        for one in sockets { close(one) }
    }
}
