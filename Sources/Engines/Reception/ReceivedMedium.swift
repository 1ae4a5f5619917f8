// SPDX-License-Identifier: Apache-2.0
import Network
import System
import Venue

/// A socket of a tuned channel, and what its datagrams are.
final class ReceivedMedium: Sendable {
    /// Kind of datagrams that come to a socket: `control` is RTCP.
    enum Content { case media, control, both }

    let membership: Membership
    /// Index among the channel's media; the raw value of a `FlowPart` for a transport stream.
    let index: Int
    let content: Content
    /// Whether it is to be seen if anything comes here.
    let isSought: Bool

    private init(_ membership: Membership, index: Int, content: Content, isSought: Bool = false) {
        self.membership = membership
        self.index = index
        self.content = content
        self.isSought = isSought
    }

    /// Whether nobody but one sender is to send the media that come here, and nobody has said who.
    var hasOneSender: Bool {
        content == .media && FlowPart(rawValue: index)?.isMedia == true && membership.selection == nil
    }

    /// Joins all flows of a channel. The first socket is that of its first medium.
    /// - Parameters:
    ///   - isExpected: whether silence is a reason to join again.
    ///   - findsParity: whether the ports of parity are joined although nobody announced it.
    /// - Returns: sockets of media first, then those of RTCP alone.
    /// - Throws: `SystemCallError` of a media socket; a socket of repair, second path or RTCP that fails is left out.
    static func join(
        _ transport: Transport, interface: String, isExpected: Bool = true, findsParity: Bool = false
    ) throws(SystemCallError) -> [ReceivedMedium] {
        let dataAreExpected = isExpected
        let selection = transport.source.flatMap { SourceSelection([$0] + transport.furtherSources) }
        func join(
            _ address: String, _ port: UInt16, _ source: String?, _ excluded: [String], on ownInterface: String? = nil,
            isExpected: Bool = true
        ) throws(SystemCallError) -> Membership {
            // Flows from the channel's own source change together when the channel changes to another source.
            let own = source != nil && source == transport.source ? selection : nil
            let endpoint = Membership.Endpoint(
                address: address, port: port, sources: own?.names ?? source.map { [$0] } ?? [], excluded: excluded,
                interface: ownInterface ?? interface)
            return try Membership(joining: endpoint, isExpected: isExpected && dataAreExpected, selection: own)
        }
        guard case .elementary(let media) = transport.encapsulation else {
            let membership = try join(
                transport.address, transport.port, transport.source, transport.excludedSources)
            var joined = [ReceivedMedium(membership, index: FlowPart.media.rawValue, content: .media)]
            let sought = findsParity ? transport.conventionalParity : nil
            for (part, endpoint) in beside(transport, repair: transport.repair ?? sought.map { .parity($0) }) {
                // A flow in the same group as the media may be silent while the media come: it proves nothing about the
                // membership.
                let isExpected =
                    endpoint.address != transport.address || (endpoint.interface ?? interface) != interface
                do throws(SystemCallError) {
                    let membership = try join(
                        endpoint.address, endpoint.port, endpoint.source,
                        sought == nil || part.isMedia ? [] : transport.excludedSources, on: endpoint.interface,
                        isExpected: isExpected)
                    joined.append(
                        ReceivedMedium(
                            membership, index: part.rawValue, content: .media,
                            isSought: sought != nil && !part.isMedia))
                } catch {
                    // Without this flow the channel is played as it arrives, for example when a second interface is
                    // missing. The counters show that nothing came by it.
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
                // Without RTCP, for example when another program has the port, the media are aligned by arrival.
            }
        }
        return joined + control
    }

    private static func beside(
        _ transport: Transport, repair: Repair?
    ) -> [(part: FlowPart, endpoint: FlowEndpoint)] {
        var flows: [(part: FlowPart, endpoint: FlowEndpoint)] = []
        if let path = transport.secondPath { flows.append((.secondPath, path.endpoint)) }
        switch repair {
        case .windows(let windows)?: flows.append((.repair, windows.endpoint))
        case .parity(let parity)?:
            if let columns = parity.columns { flows.append((.repair, columns)) }
            if let rows = parity.rows { flows.append((.rows, rows)) }
        case nil: break
        }
        return flows
    }
}
