// SPDX-License-Identifier: Apache-2.0
import JSON
import Network
import PacketCaptures
import System
import Time
import Venue

/// Where a packet socket comes from: this process, if it has the right to it, else the helper.
/// - Thread: one that may wait.
struct CaptureSource: Sendable {
    /// Path of the helper's socket.
    let helper: String
    /// Whether this process asks the helper even if it could do without; tests do.
    let asksHelper: Bool

    /// How long the helper may take.
    private static let patience = Nanoseconds.seconds(10)
    /// How long it may take to notice that nobody waits any more.
    private static let pause = Nanoseconds.milliseconds(100)
    private static let mostOctets = 4_096
    /// EPERM without CAP_NET_RAW, EAFNOSUPPORT where the service manager forbids the family of sockets.
    private static let refusals: Set<Errno> = [Errno(rawValue: 1), Errno(rawValue: 97)]

    func open(_ request: CaptureRequest, unless isGivenUp: () -> Bool) throws(Status) -> PacketSocket {
        if !asksHelper {
            do throws(SystemCallError) {
                return try PacketSocket(
                    on: request.interface.description, request.filter.program(snap: request.snap))
            } catch {
                guard error.call == PacketSocket.opening, Self.refusals.contains(error.code) else {
                    throw .failure(.failed, "\(error)")
                }
            }
        }
        guard UnixSocket.isThere(helper) else {
            throw .failure(
                .failed,
                "\(helper) is not there; expected the helper (touchline-capture.socket), because this process may not "
                    + "capture by itself")
        }
        return try ask(request, unless: isGivenUp)
    }

    private func ask(_ request: CaptureRequest, unless isGivenUp: () -> Bool) throws(Status) -> PacketSocket {
        var passed: FileDescriptor?
        let octets: [UInt8]
        do throws(SystemCallError) {
            let socket = try UnixSocket.make(isBlocking: true)
            try UnixSocket.connect(socket.rawValue, to: helper)
            try UnixSocket.setPatience(Self.pause, of: socket.rawValue)
            var rest = (request.octets + [0x0a])[...]
            while !rest.isEmpty {
                guard let count = try UnixSocket.send(socket.rawValue, rest) else { break }
                rest = rest.dropFirst(count)
            }
            octets = try Self.line(from: socket.rawValue, &passed, unless: isGivenUp)
        } catch {
            throw .failure(.failed, "the capture helper is not reached: \(error)")
        }
        // What is no JSON is no answer.
        guard let answer = try? JSONValue.parse(octets), let isOk = answer["isOk"]?.bool else {
            throw .failure(.failed, "the capture helper gave no answer")
        }
        guard isOk else {
            throw .failure(.failed, answer["errorString"]?.string ?? "the capture helper failed")
        }
        guard let descriptor = passed.take() else {
            throw .failure(.failed, "the capture helper passed no socket")
        }
        return PacketSocket(adopting: descriptor)
    }

    private static func line(
        from socket: CInt, _ passed: inout FileDescriptor?, unless isGivenUp: () -> Bool
    ) throws(SystemCallError) -> [UInt8] {
        let deadline = SystemClock.monotonic() + patience
        var line: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1_024)
        while line.count < mostOctets, line.last != 0x0a {
            guard let count = try UnixSocket.receive(socket, into: &piece, passed: &passed) else {
                guard !isGivenUp(), SystemClock.monotonic() < deadline else { break }
                continue
            }
            guard count > 0 else { break }
            line += piece[..<count]
        }
        return line
    }
}
