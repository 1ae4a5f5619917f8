// SPDX-License-Identifier: Apache-2.0
import Glibc

/// An IPv4 or IPv6 address with a port, as the kernel's calls take it.
struct SocketAddress {
    private var storage = sockaddr_storage()
    private let size: socklen_t

    var family: CInt { CInt(storage.ss_family) }

    /// - Parameters:
    ///   - address: numeric; a link-local IPv6 address may end with its zone, as in `fe80::1%eth0`.
    ///   - interface: the zone of a link-local address that names none.
    /// - Throws: EINVAL unless the address is numeric, ENODEV if a link-local one is on no interface.
    init(_ address: String, port: UInt16, interface: String) throws(SystemCallError) {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let call = "address \(address)"
        guard getaddrinfo(address, String(port), &hints, &found) == 0, let found else {
            throw SystemCallError(call, Errno(rawValue: EINVAL))
        }
        defer { freeaddrinfo(found) }
        size = min(found.pointee.ai_addrlen, socklen_t(MemoryLayout<sockaddr_storage>.size))
        memcpy(&storage, found.pointee.ai_addr, Int(size))
        guard family == AF_INET6, !setZone(of: interface) else { return }
        throw SystemCallError(call, .noDevice)
    }

    /// Sets the zone of a link-local address that has none.
    /// - Returns: false if there is no such interface.
    private mutating func setZone(of interface: String) -> Bool {
        withUnsafeMutableBytes(of: &storage) { octets in
            octets.withMemoryRebound(to: sockaddr_in6.self) { addresses in
                let isLinkLocal = withUnsafeBytes(of: addresses[0].sin6_addr) { $0[0] == 0xfe && $0[1] & 0xc0 == 0x80 }
                guard isLinkLocal, addresses[0].sin6_scope_id == 0 else { return true }
                addresses[0].sin6_scope_id = if_nametoindex(interface)
                return addresses[0].sin6_scope_id != 0
            }
        }
    }

    func withPointer<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
        withUnsafeBytes(of: storage) { octets in
            octets.withMemoryRebound(to: sockaddr.self) { addresses in
                guard let address = addresses.baseAddress else { preconditionFailure("an address has octets") }
                return body(address, size)
            }
        }
    }

    /// The port to which a socket is bound.
    static func port(of socket: CInt) throws(SystemCallError) -> UInt16 {
        var address = sockaddr_in6()  // both families keep the port at one place
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        _ = try syscall("getsockname") {
            withUnsafeMutableBytes(of: &address) { octets in
                octets.withMemoryRebound(to: sockaddr.self) { getsockname(socket, $0.baseAddress, &size) }
            }
        }
        return UInt16(bigEndian: address.sin6_port)
    }
}
