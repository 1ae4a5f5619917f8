// SPDX-License-Identifier: Apache-2.0
import Glibc
import System

/// A connection to a box that keeps no rules.
final class RawClient {
    private let descriptor: CInt

    /// - Parameter path: of the control socket.
    init(socket path: String) throws {
        descriptor = try syscall("socket") { Glibc.socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        try connect(&address)
    }

    /// - Parameter port: of HTTP.
    init(port: UInt16) throws {
        descriptor = try syscall("socket") { Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        try connect(&address)
    }

    private func connect<Address>(_ address: inout Address) throws {
        let length = socklen_t(MemoryLayout<Address>.size)
        _ = try withUnsafePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                try syscall("connect") { Glibc.connect(descriptor, pointer, length) }
            }
        }
    }

    /// What does not go out at once is dropped.
    func send(_ text: String) { _ = Glibc.send(descriptor, text, text.utf8.count, CInt(MSG_NOSIGNAL | MSG_DONTWAIT)) }

    /// Lets the connection be reset instead of closed.
    func resetAtEnd() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    }

    deinit { close(descriptor) }
}
