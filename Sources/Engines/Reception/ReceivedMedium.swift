// SPDX-License-Identifier: Apache-2.0
import Network
import System
import Venue

/// A socket of a tuned channel, and what comes there.
final class ReceivedMedium: Sendable {
    /// What a datagram of the socket is.
    enum Content { case media, control, both }

    let membership: Membership
    /// Its place among the channel's media.
    let index: Int
    let content: Content

    private init(_ membership: Membership, index: Int, content: Content) {
        self.membership = membership
        self.index = index
        self.content = content
    }

    /// Joins all that a channel is made of. The first socket is that of its pictures, when it has any: the one to wait at.
    static func join(_ transport: Transport, interface: String) throws(SystemCallError) -> [ReceivedMedium] {
        let selection = transport.source.flatMap { SourceSelection([$0] + transport.furtherSources) }
        func join(
            _ address: String, _ port: UInt16, _ source: String?, _ excluded: [String], on ownInterface: String? = nil,
            isExpected: Bool = true
        ) throws(SystemCallError) -> Membership {
            // What comes from the channel's source goes with it when it changes.
            let own = source != nil && source == transport.source ? selection : nil
            let endpoint = Membership.Endpoint(
                address: address, port: port, sources: own?.names ?? source.map { [$0] } ?? [], excluded: excluded,
                interface: ownInterface ?? interface)
            return try Membership(joining: endpoint, isExpected: isExpected, selection: own)
        }
        guard case .elementary(let media) = transport.encapsulation else {
            let membership = try join(
                transport.address, transport.port, transport.source, transport.excludedSources)
            var joined = [ReceivedMedium(membership, index: FlowPart.media.rawValue, content: .media)]
            for (part, endpoint) in beside(transport) {
                // Beside the media, in their group, nothing need come when they do.
                let isExpected =
                    endpoint.address != transport.address || (endpoint.interface ?? interface) != interface
                do throws(SystemCallError) {
                    let membership = try join(
                        endpoint.address, endpoint.port, endpoint.source, [], on: endpoint.interface,
                        isExpected: isExpected)
                    joined.append(ReceivedMedium(membership, index: part.rawValue, content: .media))
                } catch {
                    // Without it the channel is heard as it comes, as when a second interface is not there; the counters
                    // show that nothing came of it.
                }
            }
            return joined
        }
        var joined: [ReceivedMedium] = []
        var control: [ReceivedMedium] = []
        for (index, medium) in media.enumerated() {
            let membership = try join(medium.address, medium.port, medium.source, medium.excludedSources)
            let isBoth = medium.controlPort == medium.port
            joined.append(ReceivedMedium(membership, index: index, content: isBoth ? .both : .media))
            guard let port = medium.controlPort, !isBoth else { continue }
            do throws(SystemCallError) {
                let membership = try join(
                    medium.address, port, medium.source, medium.excludedSources, isExpected: false)
                control.append(ReceivedMedium(membership, index: index, content: .control))
            } catch {
                // A channel whose reports cannot be heard, as when another program has the port, is played by arrival.
            }
        }
        return joined + control
    }

    private static func beside(_ transport: Transport) -> [(part: FlowPart, endpoint: FlowEndpoint)] {
        var flows: [(part: FlowPart, endpoint: FlowEndpoint)] = []
        if let path = transport.secondPath { flows.append((.secondPath, path.endpoint)) }
        switch transport.repair {
        case .windows(let windows)?: flows.append((.repair, windows.endpoint))
        case .parity(let parity)?:
            if let columns = parity.columns { flows.append((.repair, columns)) }
            if let rows = parity.rows { flows.append((.rows, rows)) }
        case nil: break
        }
        return flows
    }
}
