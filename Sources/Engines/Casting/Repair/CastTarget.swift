// SPDX-License-Identifier: Apache-2.0
import Venue

/// Where one flow of a channel goes.
public struct CastTarget: Hashable, Sendable {
    public var flow: CastFlow
    /// As it is announced.
    public var endpoint: FlowEndpoint
    /// Where it is sent instead, for a relay to send it on.
    public var detour: String?
    public var isSecondPath = false

    public var address: String { detour ?? endpoint.address }
    public var port: UInt16 { endpoint.port }
    /// Nil: the head-end's.
    public var interface: String? { endpoint.interface }

    var field: String { isSecondPath ? "secondPath/port" : flow.field }
}

extension HeadEndConfiguration.CastChannel {
    /// All flows; a flow with a second path twice.
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
