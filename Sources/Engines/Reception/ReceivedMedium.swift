// SPDX-License-Identifier: Apache-2.0
import Network
import System
import Venue

/// A socket of a tuned channel, and what comes there.
final class ReceivedMedium: Sendable {
    /// What a datagram of the socket is.
    enum Content { case media, control, both }

    let socket: DatagramSocket
    /// Its place among the channel's media.
    let index: Int
    let content: Content

    private init(_ socket: consuming DatagramSocket, index: Int, content: Content) {
        self.socket = socket
        self.index = index
        self.content = content
    }

    /// Joins all that a channel is made of. The first socket is that of its pictures, when it has any: the one to wait at.
    static func join(_ transport: Transport, interface: String) throws(SystemCallError) -> [ReceivedMedium] {
        guard case .elementary(let media) = transport.encapsulation else {
            let socket = try open(
                transport.address, transport.port, transport.source, transport.excludedSources, interface)
            return [ReceivedMedium(socket, index: 0, content: .media)]
                + joinBeside(transport, interface: interface)
        }
        var joined: [ReceivedMedium] = []
        var control: [ReceivedMedium] = []
        for (index, medium) in media.enumerated() {
            let socket = try open(medium.address, medium.port, medium.source, medium.excludedSources, interface)
            let isBoth = medium.controlPort == medium.port
            joined.append(ReceivedMedium(socket, index: index, content: isBoth ? .both : .media))
            guard let port = medium.controlPort, !isBoth else { continue }
            do throws(SystemCallError) {
                let socket = try open(medium.address, port, medium.source, medium.excludedSources, interface)
                control.append(ReceivedMedium(socket, index: index, content: .control))
            } catch {
                // A channel whose reports cannot be heard, as when another program has the port, is played by arrival.
            }
        }
        return joined + control
    }

    /// What comes beside the media of a transport stream. Without one of them the channel is heard as it comes, so that
    /// one that cannot be joined, as when a second interface is not there, is none.
    private static func joinBeside(_ transport: Transport, interface: String) -> [ReceivedMedium] {
        var flows: [(part: FlowPart, endpoint: FlowEndpoint)] = []
        if let path = transport.secondPath { flows.append((.secondPath, path.endpoint)) }
        switch transport.repair {
        case .windows(let windows)?: flows.append((.repair, windows.endpoint))
        case .parity(let parity)?:
            if let columns = parity.columns { flows.append((.repair, columns)) }
            if let rows = parity.rows { flows.append((.rows, rows)) }
        case nil: break
        }
        var joined: [ReceivedMedium] = []
        for (part, endpoint) in flows {
            do throws(SystemCallError) {
                let socket = try open(
                    endpoint.address, endpoint.port, endpoint.source, [], endpoint.interface ?? interface)
                joined.append(ReceivedMedium(socket, index: part.rawValue, content: .media))
            } catch {
                // The counters show it: nothing comes of it.
            }
        }
        return joined
    }

    private static func open(
        _ address: String, _ port: UInt16, _ source: String?, _ excluded: [String], _ interface: String
    ) throws(SystemCallError) -> DatagramSocket {
        try DatagramSocket(
            listeningTo: address, port: port, source: source, excluding: excluded, interface: interface,
            timeout: .milliseconds(20))
    }
}
