// SPDX-License-Identifier: Apache-2.0
import Glibc
import JSON
import System

/// The HTTP API of the box, on a connection of its own for each request.
extension RunningBox {
    struct NoHTTP: Error {}

    /// - Parameters:
    ///   - path: with its query.
    ///   - fields: further ones, each with its line end.
    /// - Throws: `NoHTTP` if the box serves none.
    func http(_ method: String, _ path: String, _ body: JSONValue? = nil, fields: String = "") throws -> (
        code: Int, body: JSONValue
    ) {
        guard let port = try answer("status")["httpPort"]?.integer.flatMap({ UInt16(exactly: $0) }) else {
            throw NoHTTP()
        }
        let text = body?.text() ?? ""
        let content = "Content-Type: application/json\r\nContent-Length: \(text.utf8.count)\r\n"
        let head = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\(fields)"
        let octets = try Self.exchange(head + (body == nil ? "" : content) + "\r\n" + text, port)
        let response = String(decoding: octets, as: UTF8.self)
        let code = response.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        guard let end = octets.indices.first(where: { octets[$0...].starts(with: Array("\r\n\r\n".utf8)) }) else {
            return (code, .null)
        }
        return (code, (try? JSONValue.parse(Array(octets[(end + 4)...]))) ?? .null)  // a picture is no JSON
    }

    private static func exchange(_ request: String, _ port: UInt16) throws -> [UInt8] {
        let descriptor = try syscall("socket") { Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0) }
        defer { close(descriptor) }
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        _ = try withUnsafePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                try syscall("connect") { connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) }
            }
        }
        _ = try syscall("send") { send(descriptor, request, request.utf8.count, CInt(MSG_NOSIGNAL)) }
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = try syscall("recv") { recv(descriptor, &buffer, buffer.count, 0) }
            guard count > 0 else { return received }
            received += buffer[..<count]
        }
    }
}
