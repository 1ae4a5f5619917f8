// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON

/// The control socket without a program between: an answer costs no more than the box takes for it.
final class ControlSocket {
    /// When something happened at the latest and the earliest, in seconds of one clock.
    struct Answer {
        let result: JSONValue
        let asked: Double
        let answered: Double
    }

    private let descriptor: Int32
    private var number: Int64 = 0
    private var pending: [UInt8] = []

    static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw VenueError("socket: \(errno)") }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8.prefix(107)) + [0]) }
        var patience = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard code == 0 else { throw VenueError("connect \(path): \(errno)") }
    }

    deinit { close(descriptor) }

    /// - Throws: when the box refuses, or is silent for 5 s.
    func ask(_ command: String, _ arguments: JSONValue = [:]) throws -> Answer {
        let asked = try send(command, arguments)
        let (answer, answered) = try receive(number)
        guard answer.at("/status/isOk") == true, let result = answer["result"] else {
            throw VenueError("\(command): \(answer.at("/status/errorString")?.string ?? answer.text())")
        }
        return Answer(result: result, asked: asked, answered: answered)
    }

    /// Asks and does not wait.
    /// - Returns: when.
    @discardableResult
    func send(_ command: String, _ arguments: JSONValue = [:]) throws -> Double {
        number += 1
        let request: JSONValue = ["id": .integer(number), "command": .string(command), "arguments": arguments]
        let line = Array(request.text().utf8) + [0x0a]
        let asked = Self.now()
        guard Foundation.send(descriptor, line, line.count, Int32(MSG_NOSIGNAL)) == line.count else {
            throw VenueError("send: \(errno)")
        }
        return asked
    }

    /// The next answers in the order in which they come, whole.
    func answers(_ count: Int) throws -> [JSONValue] { try (0..<count).map { _ in try line().value } }

    private func receive(_ id: Int64) throws -> (JSONValue, Double) {
        while true {
            let (value, came) = try line()
            if value["id"] == .integer(id) { return (value, came) }
        }
    }

    private func line() throws -> (value: JSONValue, came: Double) {
        var came = Self.now()
        while true {
            if let end = pending.firstIndex(of: 0x0a) {
                defer { pending.removeSubrange(...end) }
                return (try JSONValue.parse(Array(pending[..<end]), limits: JSONLimits(maximumOctets: 1 << 24)), came)
            }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { throw VenueError("the box does not answer: \(count < 0 ? errno : 0)") }
            came = Self.now()
            pending += buffer[..<count]
        }
    }
}
