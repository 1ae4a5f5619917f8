// SPDX-License-Identifier: Apache-2.0
import Network
import PacketCaptures
import System
import Venue

/// The helper that opens packet sockets. It has no other right than that, and the helper that changes the network has not
/// this one: they are two units of one program.
extension HelperConnection {
    /// Opens the socket that the request describes, with the filter in force, and passes it on.
    /// - Parameters:
    ///   - socket: a connected Unix socket.
    ///   - user: whose requests are answered; nil if the service has no user here.
    /// - Throws: why nothing was answered.
    public static func serveCapture(_ socket: CInt, only user: UInt32?) throws(Status) {
        try serve(socket, only: user, mostOctets: CaptureRequest.mostOctets) { (line) throws(SystemCallError) in
            do throws(Status) {
                let request = try CaptureRequest(parsing: line)
                try pass(try open(request), to: socket)
            } catch {
                try write(error.json.octets() + [0x0a], to: socket)
            }
        }
    }

    private static func open(_ request: CaptureRequest) throws(Status) -> PacketSocket {
        do throws(SystemCallError) {
            return try PacketSocket(
                on: request.interface.description, request.filter.program(snap: request.snap))
        } catch {
            throw .failure(.failed, "\(error)")
        }
    }

    private static func pass(_ packets: consuming PacketSocket, to socket: CInt) throws(Status) {
        do throws(SystemCallError) {
            _ = try UnixSocket.send(socket, Status.ok.json.octets() + [0x0a], passing: packets.rawValue)
        } catch {
            throw .failure(.failed, "\(error)")
        }
    }
}
