// SPDX-License-Identifier: Apache-2.0
import Venue

/// A destination of one flow of a channel.
public struct CastTarget: Hashable, Sendable {
    public var flow: CastFlow
    /// The endpoint as it is announced.
    public var endpoint: FlowEndpoint
    /// Address to which it is sent instead, for a relay to forward; nil for that of the endpoint.
    public var detour: String?
    public var isSecondPath = false

    public var address: String { detour ?? endpoint.address }
    public var port: UInt16 { endpoint.port }
    /// nil for the head-end's interface.
    public var interface: String? { endpoint.interface }

    var field: String { isSecondPath ? "secondPath/port" : flow.field }
}

extension HeadEndConfiguration.CastChannel {
    /// The destinations of all flows; a flow with a second path has two.
    public var targets: [CastTarget] {
        let transport = announcement.transport
        var targets = [target(.media, FlowEndpoint(address: transport.address, port: transport.port))]
        if let second = transport.secondPath {
            var endpoint = FlowEndpoint(address: second.endpoint.address, port: second.endpoint.port)
            endpoint.interface = secondInterface
            var path = target(.media, endpoint)
            path.isSecondPath = true
            path.detour = secondVia ?? path.detour
            targets.append(path)
        }
        targets += repairTargets(transport, windows: .repair, columns: .columns, rows: .rows)
        if let plain {
            let endpoint = FlowEndpoint(address: plain.transport.address, port: plain.transport.port)
            targets.append(target(.plain, endpoint))
            targets += repairTargets(plain.transport, windows: .repair, columns: .plainColumns, rows: .plainRows)
        }
        return targets
    }

    private func target(_ flow: CastFlow, _ endpoint: FlowEndpoint) -> CastTarget {
        CastTarget(
            flow: flow, endpoint: endpoint, detour: endpoint.address == announcement.transport.address ? via : nil)
    }

    private func repairTargets(
        _ transport: Transport, windows: CastFlow, columns: CastFlow, rows: CastFlow
    ) -> [CastTarget] {
        switch transport.repair {
        case nil: []
        case .windows(let repair): [target(windows, repair.endpoint)]
        case .parity(let parity):
            [parity.columns.map { target(columns, $0) }, parity.rows.map { target(rows, $0) }].compactMap { $0 }
        }
    }
}
