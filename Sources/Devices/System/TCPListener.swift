// SPDX-License-Identifier: Apache-2.0
import CSystemShims
import Glibc

/// TCP sockets that listen on one or several addresses, all on one port, until they are released or the listener goes.
public final class TCPListener {
    public let port: UInt16
    /// The listening sockets, nonblocking, which stay the listener's.
    package private(set) var descriptors: [CInt]

    /// Connections that wait to be accepted, of whoever serves few.
    public static let usualBacklog: CInt = 64

    /// Tries at finding one port that is free on all addresses.
    private static let attempts = 16

    /// - Parameters:
    ///   - addresses: numeric, at least one: IPv4 or IPv6, each for its own family alone; `0.0.0.0` and `::` stand for
    ///     all of their family. A link-local address may end with its zone, as in `fe80::1%eth0`.
    ///   - interface: the zone of link-local addresses that name none.
    ///   - port: 0 chooses a port that is free on all addresses.
    ///   - isAbsentTaken: whether addresses are taken that no interface has yet.
    ///   - backlog: connections of each address that wait to be accepted; of one more the kernel drops the SYN, and its sender
    ///     tries again after a second or more. `net.core.somaxconn` bounds it.
    /// - Throws: EADDRINUSE, EADDRNOTAVAIL, EINVAL for what is no address, ENODEV for an unknown zone, among others.
    public init(
        _ addresses: [String], interface: String = "", port: UInt16, isAbsentTaken: Bool = false,
        backlog: CInt = TCPListener.usualBacklog
    ) throws(SystemCallError) {
        precondition(!addresses.isEmpty, "a listener without an address")
        (descriptors, self.port) = try Self.listenAnywhere(on: addresses, interface, port, isAbsentTaken, backlog)
    }

    deinit { for descriptor in descriptors { close(descriptor) } }

    /// Listens on 127.0.0.1 and ::1; only on 127.0.0.1 if the system has no IPv6.
    public static func loopback(
        port: UInt16, backlog: CInt = TCPListener.usualBacklog
    ) throws(SystemCallError) -> TCPListener {
        do {
            return try TCPListener(["127.0.0.1", "::1"], port: port, backlog: backlog)
        } catch {
            guard [EAFNOSUPPORT, EADDRNOTAVAIL].contains(error.code.rawValue) else { throw error }
            return try TCPListener(["127.0.0.1"], port: port, backlog: backlog)
        }
    }

    /// Gives up the sockets, which are nonblocking; the caller closes them.
    public func release() -> [CInt] {
        defer { descriptors = [] }
        return descriptors
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

    /// A port that is chosen for the first address may be taken on another one; then it is tried again.
    private static func listenAnywhere(
        on addresses: [String], _ interface: String, _ port: UInt16, _ isAbsentTaken: Bool, _ backlog: CInt
    ) throws(SystemCallError) -> ([CInt], UInt16) {
        var attempt = 1
        while true {
            do {
                return try listen(on: addresses, interface, port, isAbsentTaken, backlog)
            } catch {
                let isTaken = error.code.rawValue == EADDRINUSE
                guard isTaken, port == 0, addresses.count > 1, attempt < attempts else { throw error }
                attempt += 1
            }
        }
    }

    private static func listen(
        on addresses: [String], _ interface: String, _ port: UInt16, _ isAbsentTaken: Bool, _ backlog: CInt
    ) throws(SystemCallError) -> ([CInt], UInt16) {
        var descriptors: [CInt] = []
        var chosen = port
        do {
            for text in addresses {
                let address = try SocketAddress(text, port: chosen, interface: interface)
                let made = try makeSocket(address.family)
                descriptors.append(made)
                if isAbsentTaken { try takeAbsent(made, address.family) }
                _ = try syscall("bind \(text) port \(chosen)") { address.withPointer { bind(made, $0, $1) } }
                _ = try syscall("listen \(text) port \(chosen)") { Glibc.listen(made, backlog) }
                if chosen == 0 { chosen = try SocketAddress.port(of: made) }
            }
        } catch {
            for descriptor in descriptors { close(descriptor) }
            throw error
        }
        return (descriptors, chosen)
    }

    private static func takeAbsent(_ socket: CInt, _ family: CInt) throws(SystemCallError) {
        var isOn: CInt = 1
        let size = socklen_t(MemoryLayout<CInt>.size)
        let (level, option) =
            family == AF_INET6 ? (CInt(IPPROTO_IPV6), IPV6_FREEBIND) : (CInt(IPPROTO_IP), IP_FREEBIND)
        _ = try syscall("setsockopt FREEBIND") { setsockopt(socket, level, option, &isOn, size) }
    }

    private static func makeSocket(_ family: CInt) throws(SystemCallError) -> CInt {
        let flags = CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        let made = try syscall("socket") { socket(family, CInt(SOCK_STREAM.rawValue) | flags, 0) }
        var isOn: CInt = 1
        let size = socklen_t(MemoryLayout<CInt>.size)
        do {
            _ = try syscall("setsockopt SO_REUSEADDR") { setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &isOn, size) }
            guard family == AF_INET6 else { return made }
            let level = CInt(IPPROTO_IPV6)
            _ = try syscall("setsockopt IPV6_V6ONLY") { setsockopt(made, level, IPV6_V6ONLY, &isOn, size) }
            return made
        } catch {
            close(made)
            throw error
        }
    }
}
