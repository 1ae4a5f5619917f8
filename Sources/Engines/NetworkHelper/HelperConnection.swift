// SPDX-License-Identifier: Apache-2.0
import System
import Time
import Venue

/// The helper's side of one connection: one request, one answer.
public enum HelperConnection {
    /// The user of the service, who alone is answered.
    public static let serviceUser = "touchline"
    /// How long a request may take to come.
    static let patience = Nanoseconds.seconds(5)

    /// Reads the request, answers it, and returns.
    /// - Parameters:
    ///   - socket: a connected Unix socket.
    ///   - user: whose requests are answered; nil if the service has no user here.
    /// - Throws: why nothing was answered.
    public static func serve(_ socket: CInt, by helper: NetworkHelper, only user: UInt32?) throws(Status) {
        try serve(socket, only: user, mostOctets: HelperRequest.mostOctets) { (line) throws(SystemCallError) in
            try write(helper.answer(line) + [0x0a], to: socket)
        }
    }

    /// - Parameter answer: takes the line of the request.
    static func serve(
        _ socket: CInt, only user: UInt32?, mostOctets: Int, _ answer: ([UInt8]) throws(SystemCallError) -> Void
    ) throws(Status) {
        let other: UInt32
        do throws(SystemCallError) {
            other = try PeerCredentials(of: socket).user
        } catch {
            throw .failure(.failed, "\(error)")
        }
        guard let user, other == user else {
            throw .failure(.failed, "user \(other) asks; expected \(serviceUser) alone")
        }
        do throws(SystemCallError) {
            try UnixSocket.setBlocking(socket)
            try UnixSocket.setPatience(patience, of: socket)
            try answer(try read(socket, atMost: mostOctets))
        } catch {
            throw .failure(.failed, "\(error)")
        }
    }

    /// - Returns: the octets before the first line feed, or all of them; one more than a request may have, if it has.
    private static func read(_ socket: CInt, atMost most: Int) throws(SystemCallError) -> [UInt8] {
        let deadline = SystemClock.monotonic() + patience
        var line: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16_384)
        while line.count <= most, SystemClock.monotonic() < deadline {
            guard let count = try UnixSocket.receive(socket, into: &piece), count > 0 else { break }
            if let end = piece[..<count].firstIndex(of: 0x0a) {
                line += piece[..<end]
                break
            }
            line += piece[..<count]
        }
        return Array(line.prefix(most + 1))
    }

    static func write(_ octets: [UInt8], to socket: CInt) throws(SystemCallError) {
        var rest = octets[...]
        while !rest.isEmpty {
            guard let count = try UnixSocket.send(socket, rest) else { return }
            rest = rest.dropFirst(count)
        }
    }
}
