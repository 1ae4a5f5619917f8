// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A TCP connection to a server, nonblocking, from the moment at which it is begun. It closes when it is released.
public final class TCPConnection {
    public let descriptor: CInt

    /// Begins to connect. The descriptor is writable when that has ended, and `failure` says how.
    /// - Parameter address: numeric.
    public init(to address: String, port: UInt16) throws(SystemCallError) {
        let target = try SocketAddress(address, port: port, interface: "")
        let flags = CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        let made = try syscall("socket") { socket(target.family, CInt(SOCK_STREAM.rawValue) | flags, 0) }
        var isOn: CInt = 1
        // Without it the second part of a request may wait for 40 ms; that is all that is lost if it is refused.
        _ = setsockopt(made, CInt(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<CInt>.size))
        do {
            _ = try syscall("connect \(address) port \(port)") { target.withPointer { connect(made, $0, $1) } }
        } catch {
            guard error.code.rawValue == EINPROGRESS else {
                close(made)
                throw error
            }
        }
        descriptor = made
    }

    deinit { close(descriptor) }

    /// Why the connection could not be made, or broke; nil if it did not. The kernel tells it once.
    public var failure: SystemCallError? {
        var code: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0, code != 0 else { return nil }
        return SystemCallError("connect", Errno(rawValue: code))
    }

    /// - Returns: number of octets sent; nil if the socket takes none now.
    public func send(_ octets: ArraySlice<UInt8>) throws(SystemCallError) -> Int? {
        try UnixSocket.send(descriptor, octets)
    }

    /// - Returns: number of octets received into `buffer`, 0 at the end of the stream; nil if there are none now.
    public func receive(into buffer: inout [UInt8]) throws(SystemCallError) -> Int? {
        try UnixSocket.receive(descriptor, into: &buffer)
    }
}
