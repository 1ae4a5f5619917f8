// SPDX-License-Identifier: Apache-2.0
import ControlMessages
import JSON
import System
import Time
import Venue

/// The client's end of the control socket. Its calls block, so it suits programs that only wait for the answer.
public struct ControlClient: ~Copyable {
    /// The limits of a reply. They are large because a screenshot is one line.
    private static let limits = JSONLimits(maximumOctets: 64 << 20, maximumValues: 1_000_000)

    /// The environment variable with the session of whoever is logged in at the console that executes this program.
    static let sessionVariable = "TOUCHLINE_SESSION"

    private let path: String
    private let socket: FileDescriptor
    // Without initial values: with them, a throwing init of a noncopyable type crashes the compiler of 6.0.3.
    private var framer: LineFramer
    private var buffer: [UInt8]

    public init(connectingTo path: String) throws(ControlClientError) {
        guard path.utf8.count <= UnixSocket.pathLimit else { throw .pathTooLong(path, limit: UnixSocket.pathLimit) }
        let socket = try Self.connected(to: path)
        self.path = path
        framer = LineFramer(limit: Self.limits.maximumOctets)
        buffer = [UInt8](repeating: 0, count: 64 << 10)
        self.socket = socket
    }

    /// - Parameter patience: how long `next` waits; nil waits without limit.
    public func wait(atMost patience: Nanoseconds?) throws(ControlClientError) {
        do {
            try UnixSocket.setPatience(patience, of: socket.rawValue)
        } catch {
            throw .broken(path, error)
        }
    }

    public func send(_ request: ControlRequest) throws(ControlClientError) {
        var request = request
        request.session = request.session ?? ProgramEnvironment[Self.sessionVariable]
        var rest = request.octets[...]
        do {
            while !rest.isEmpty {
                guard let count = try UnixSocket.send(socket.rawValue, rest) else { continue }
                rest = rest.dropFirst(count)
            }
        } catch {
            throw .broken(path, error)
        }
    }

    /// The next reply of the service; nil if the service has closed the connection.
    public mutating func next() throws(ControlClientError) -> ControlReply? {
        while true {
            switch framer.next() {
            case .whole(let line):
                guard let reply = ControlReply(parsing: line, limits: Self.limits) else { throw .notOurs(path) }
                return reply
            case .tooLong: throw .notOurs(path)
            case nil: break
            }
            let count: Int?
            do {
                count = try UnixSocket.receive(socket.rawValue, into: &buffer)
            } catch {
                throw .broken(path, error)
            }
            guard let count else { throw .silent(path) }
            if count == 0 { return nil }
            framer.append(buffer[..<count])
        }
    }

    private static func connected(to path: String) throws(ControlClientError) -> FileDescriptor {
        do {
            let socket = try UnixSocket.make(isBlocking: true)
            try UnixSocket.connect(socket.rawValue, to: path)
            return socket
        } catch {
            throw .unreachable(path, error.code)
        }
    }
}
