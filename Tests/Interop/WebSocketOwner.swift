// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Web

/// A WebSocket client whose owner is the test; it takes reports only when it is woken.
final class WebSocketOwner {
    typealias Connection = WebSocketClient.Connection
    typealias Report = WebSocketClient.Report

    let client: WebSocketClient
    private(set) var reports: [Report] = []
    private let woken = Woken()

    private final class Woken: Sendable {
        let isSet = Atomic<Bool>(false)
    }

    init(_ limits: WebSocketClient.Limits = .init()) throws {
        client = try WebSocketClient(limits: limits) { [woken] in woken.isSet.store(true, ordering: .releasing) }
    }

    func await(
        _ what: String, within limit: Duration = .seconds(20), _ condition: ([Report]) -> Bool
    ) async throws {
        let came = try await eventually(within: limit) {
            if woken.isSet.exchange(false, ordering: .acquiring) { reports += client.takeReports() }
            return condition(reports)
        }
        guard came else { throw VenueError("not \(what): \(reports)") }
    }

    func open(_ host: String, _ port: UInt16, _ path: String) async throws -> Connection {
        let connection = client.connect(to: host, port: port, path: path)
        try await self.await("opened") { $0.contains(.opened(connection)) }
        return connection
    }

    func reason(of connection: Connection, within limit: Duration = .seconds(20)) async throws
        -> WebSocketClient.ClosingReason
    {
        try await self.await("closed", within: limit) { reports in
            reports.contains { if case .closed(connection, _) = $0 { true } else { false } }
        }
        let reasons = reports.compactMap { report -> WebSocketClient.ClosingReason? in
            if case .closed(connection, let reason) = report { reason } else { nil }
        }
        guard reasons.count == 1 else { throw VenueError("closed more than once: \(reports)") }
        return reasons[0]
    }

    func reason(_ host: String, _ port: UInt16, _ path: String) async throws -> WebSocketClient.ClosingReason {
        try await reason(of: client.connect(to: host, port: port, path: path))
    }

    func messages(of connection: Connection) -> [[UInt8]] {
        reports.compactMap { if case .received(connection, let octets) = $0 { octets } else { nil } }
    }
}
