// SPDX-License-Identifier: Apache-2.0
import CSystemShims
import Glibc

/// TCP sockets that listen on 127.0.0.1 and ::1, both on one port; only on 127.0.0.1 if the system has no IPv6.
public struct LoopbackListener: ~Copyable, Sendable {
    public let port: UInt16
    private let first: CInt
    /// -1 if the system has no IPv6.
    private let second: CInt

    /// - Parameter port: 0 chooses a free port.
    /// - Throws: EADDRINUSE among others.
    public init(port: UInt16) throws(SystemCallError) {
        let first = try Self.listen(port, family: AF_INET)
        let chosen: UInt16
        let second: CInt
        do {
            chosen = try Self.port(of: first)
            second = try Self.listenIfAny(chosen)
        } catch {
            close(first)
            throw error
        }
        self.first = first
        self.second = second
        self.port = chosen
    }

    deinit {
        close(first)
        if second >= 0 { close(second) }
    }

    /// Gives up the sockets, which are nonblocking; the caller closes them.
    public consuming func release() -> [CInt] {
        let sockets = [first, second].filter { $0 >= 0 }
        discard self
        return sockets
    }

    /// The next connection, which is nonblocking and which the caller closes; nil if none is pending.
    public static func accept(_ listener: CInt) throws(SystemCallError) -> CInt? {
        do {
            let accepted = try syscall("accept") { touchline_accept(listener) }
            // Without TCP_NODELAY the last segment would wait up to 40 ms for the client's acknowledgement of the one
            // before. If the option is refused, that delay is accepted.
            var isOn: CInt = 1
            _ = setsockopt(
                accepted, CInt(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<CInt>.size))
            return accepted
        } catch {
            // ECONNABORTED: the client left before it was served.
            if error.code == .wouldBlock || error.code.rawValue == ECONNABORTED { return nil }
            throw error
        }
    }

    private static func listenIfAny(_ port: UInt16) throws(SystemCallError) -> CInt {
        do {
            return try listen(port, family: AF_INET6)
        } catch {
            if [EAFNOSUPPORT, EADDRNOTAVAIL].contains(error.code.rawValue) { return -1 }
            throw error
        }
    }

    private static func listen(_ port: UInt16, family: CInt) throws(SystemCallError) -> CInt {
        let flags = CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        let made = try syscall("socket") { socket(family, CInt(SOCK_STREAM.rawValue) | flags, 0) }
        var isOn: CInt = 1
        let size = socklen_t(MemoryLayout<CInt>.size)
        do {
            _ = try syscall("setsockopt SO_REUSEADDR") { setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &isOn, size) }
            if family == AF_INET6 {
                let level = CInt(IPPROTO_IPV6)
                _ = try syscall("setsockopt IPV6_V6ONLY") { setsockopt(made, level, IPV6_V6ONLY, &isOn, size) }
            }
            let name = family == AF_INET ? "127.0.0.1" : "::1"
            _ = try syscall("bind \(name) port \(port)") { bind(made, port, family) }
            _ = try syscall("listen") { Glibc.listen(made, 64) }
            return made
        } catch {
            close(made)
            throw error
        }
    }

    private static func bind(_ socket: CInt, _ port: UInt16, _ family: CInt) -> CInt {
        if family == AF_INET {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            return withSocketAddress(&address) { Glibc.bind(socket, $0, $1) }
        }
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        address.sin6_addr = in6addr_loopback
        return withSocketAddress(&address) { Glibc.bind(socket, $0, $1) }
    }

    private static func port(of socket: CInt) throws(SystemCallError) -> UInt16 {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = try syscall("getsockname") {
            withSocketAddress(&address) { pointer, _ in
                getsockname(socket, UnsafeMutablePointer(mutating: pointer), &size)
            }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    private static func withSocketAddress<Address, R>(
        _ address: inout Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> R
    ) -> R {
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body(UnsafePointer($0), socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
}
