// SPDX-License-Identifier: Apache-2.0
import Glibc
import System
import Testing

/// A TCP connection that says exactly what a test wants.
final class RawClient {
    let descriptor: CInt
    private(set) var received: [UInt8] = []

    /// - Parameter receiveBuffer: octets that the kernel keeps for a client that does not read.
    init(_ port: UInt16, receiveBuffer: CInt? = nil) throws {
        descriptor = try syscall("socket") { socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0) }
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<CInt>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let descriptor = descriptor
        _ = try withUnsafePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                try syscall("connect") { connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) }
            }
        }
    }

    deinit { close(descriptor) }

    /// The end of the connection will be a reset, and what was sent and not read is dropped.
    func endsByReset() {
        var choice = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &choice, socklen_t(MemoryLayout<linger>.size))
    }

    func say(_ text: String) throws { try say(Array(text.utf8)) }

    func say(_ octets: [UInt8]) throws {
        let count = send(descriptor, octets, octets.count, CInt(MSG_NOSIGNAL))
        #expect(count == octets.count)
    }

    /// The other side may have hung up already.
    func `try`(_ text: String) { _ = send(descriptor, text, text.utf8.count, CInt(MSG_NOSIGNAL)) }

    /// Reads on; false at the end of the connection.
    func readMore() throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count < 0, errno == ECONNRESET { return false }
        try #require(count >= 0, "nothing within 20 s")
        received += buffer[..<count]
        return count > 0
    }

    /// What was received, up to its end.
    func takeAll() throws -> String {
        while try readMore() {}
        defer { received = [] }
        return String(decoding: received, as: UTF8.self)
    }

    /// A response with `Content-Length`: its head and its body.
    func response() throws -> (head: String, body: [UInt8]) {
        let head = try head()
        let line = head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
        let length = line.flatMap { Int($0.dropFirst(16)) } ?? 0
        try need(length)
        defer { received.removeFirst(length) }
        return (head, Array(received[..<length]))
    }

    /// Up to the empty line, and past it.
    func head() throws -> String {
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let place = received.indices.prefix(4_096).first(where: { received[$0...].starts(with: end) }) {
                defer { received.removeFirst(place + end.count) }
                return String(decoding: received[..<place], as: UTF8.self)
            }
            try #require(try readMore(), "the connection ended: \(String(decoding: received, as: UTF8.self))")
        }
    }

    // MARK: WebSockets

    /// Asks for one and awaits that it is granted.
    func upgrade(_ path: String = "/v1/events") throws {
        try say(
            "GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n")
        let answer = try response()
        #expect(answer.head.hasPrefix("HTTP/1.1 101"))
    }

    /// The next message, of however many frames (RFC 6455 §5).
    func message() throws -> [UInt8] {
        var message: [UInt8] = []
        while true {
            try need(2)
            let (first, short) = (received[0], Int(received[1] & 0x7f))
            var (length, start) = (short, 2)
            if short >= 126 {
                start += short == 126 ? 2 : 8
                try need(start)
                length = received[2..<start].reduce(0) { $0 << 8 | Int($1) }
            }
            try need(start + length)
            message += received[start..<start + length]
            received.removeFirst(start + length)
            if first & 0x80 != 0 { return message }
        }
    }

    /// Drops what a test has looked at.
    func drop(_ count: Int) { received.removeFirst(count) }

    func need(_ count: Int) throws {
        while received.count < count { try #require(try readMore(), "the connection ended") }
    }
}
