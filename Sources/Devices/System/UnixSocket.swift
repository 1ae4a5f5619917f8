// SPDX-License-Identifier: Apache-2.0
import Glibc
import Time

/// Stream sockets of the family AF_UNIX.
public enum UnixSocket {
    public static var pathLimit: Int { MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1 }

    public static func make(isBlocking: Bool) throws(SystemCallError) -> FileDescriptor {
        let flags = CInt(SOCK_CLOEXEC.rawValue) | (isBlocking ? 0 : CInt(SOCK_NONBLOCK.rawValue))
        return FileDescriptor(
            adopting: try syscall("socket AF_UNIX") { socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | flags, 0) })
    }

    /// Whether there is a socket at a path; whether anybody listens shows when it is connected.
    public static func isThere(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }

    /// - Parameter path: at most `pathLimit` octets.
    public static func bind(_ descriptor: CInt, to path: String) throws(SystemCallError) {
        _ = try syscall("bind \(path)") { withAddress(of: path) { Glibc.bind(descriptor, $0, $1) } }
    }

    public static func connect(_ descriptor: CInt, to path: String) throws(SystemCallError) {
        _ = try syscall("connect \(path)") { withAddress(of: path) { Glibc.connect(descriptor, $0, $1) } }
    }

    /// Has calls wait that would have to.
    public static func setBlocking(_ descriptor: CInt) throws(SystemCallError) {
        let flags = try syscall("fcntl F_GETFL") { fcntl(descriptor, F_GETFL) }
        _ = try syscall("fcntl F_SETFL") { fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) }
    }

    /// - Parameter patience: how long a blocking `receive` waits; nil waits without limit.
    public static func setPatience(_ patience: Nanoseconds?, of descriptor: CInt) throws(SystemCallError) {
        var time = timeval(tv_sec: 0, tv_usec: 0)
        if let patience {
            time.tv_sec = Int(patience.seconds)
            time.tv_usec = Int(patience.microseconds % 1_000_000)
        }
        _ = try syscall("setsockopt SO_RCVTIMEO") {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    /// - Returns: number of octets sent; nil if the socket takes none now.
    public static func send(_ descriptor: CInt, _ bytes: ArraySlice<UInt8>) throws(SystemCallError) -> Int? {
        do {
            return try syscall("send") {
                bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
            }
        } catch {
            if error.code == .wouldBlock { return nil }
            throw error
        }
    }

    /// - Returns: number of octets received into `buffer`, 0 at the end of the stream; nil if there are none now.
    public static func receive(_ descriptor: CInt, into buffer: inout [UInt8]) throws(SystemCallError) -> Int? {
        do {
            return try syscall("recv") {
                buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            }
        } catch {
            if error.code == .wouldBlock { return nil }
            throw error
        }
    }

    private static func withAddress<R>(of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
        precondition(path.utf8.count <= pathLimit)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }
}
