// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A UDP socket of the test that keeps whatever comes to a group on loopback, in order.
final class DatagramReceiver: @unchecked Sendable {
    // Sendable: what is kept is touched under the lock only; the descriptor never changes.
    private let descriptor: Int32
    private let lock = NSLock()
    private var kept: [[UInt8]] = []
    private var isEnding = false

    init(of group: Group, port: Int? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw VenueError("socket: \(errno)") }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port ?? group.port).bigEndian
        address.sin_addr.s_addr = inet_addr(group.address)
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isBound else { throw VenueError("bind \(group.address): \(errno)") }
        var membership = ip_mreq(
            imr_multiaddr: address.sin_addr, imr_interface: in_addr(s_addr: inet_addr("127.0.0.1")))
        try set(IPPROTO_IP, IP_ADD_MEMBERSHIP, &membership)
        var room: Int32 = 4 << 20
        try set(Int(SOL_SOCKET), SO_RCVBUF, &room)
        var patience = timeval(tv_sec: 0, tv_usec: 100_000)
        try set(Int(SOL_SOCKET), SO_RCVTIMEO, &patience)
        Thread.detachNewThread { [self] in receive() }
    }

    deinit { close(descriptor) }

    /// So far.
    var datagrams: [[UInt8]] { lock.withLock { kept } }

    /// Afterwards nothing is kept any more, and the socket goes with its thread.
    func end() { lock.withLock { isEnding = true } }

    private func receive() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !lock.withLock({ isEnding }) {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count > 0 { lock.withLock { kept.append(Array(buffer[..<count])) } }
        }
    }

    private func set<Value: BitwiseCopyable>(_ level: Int, _ option: Int32, _ value: inout Value) throws {
        guard setsockopt(descriptor, Int32(level), option, &value, socklen_t(MemoryLayout<Value>.size)) == 0 else {
            throw VenueError("socket option \(option): \(errno)")
        }
    }
}
