// SPDX-License-Identifier: Apache-2.0
import ControlMessages
import JSON
import System
import Time
import Venue

/// Takes samples of a box, one after the other, over one connection.
final class TopConnection {
    /// The number of past events that are shown at the start.
    private static let firstEvents: Int64 = 6
    private static let patience = Nanoseconds.seconds(2)

    private let path: String
    private var client: ControlClient
    private var lastRequest: Int64 = 0
    /// The sequence number of the last event that was fetched.
    private var sequence: Int64
    /// The answer of `stats --describe`; null before the first.
    private var description: JSONValue = .null
    /// The groups that the statistics had when `description` was fetched.
    private var describedGroups: [String] = []

    init(_ path: String) throws {
        self.path = path
        client = try ControlClient(connectingTo: path)
        sequence = 0
        try client.wait(atMost: Self.patience)
        let next = try ask("events", ["since": .integer(.max)])["next"]?.integer ?? 1
        sequence = max(0, next - 1 - Self.firstEvents)
    }

    func look() throws -> (snapshot: TopSnapshot, events: [JSONValue]) {
        let stats = try ask("stats")
        let snapshot = TopSnapshot(
            time: SystemClock.monotonic(), status: try ask("status"), position: try askWhatPlays("position"),
            streams: try askWhatPlays("streams"), stats: stats, description: try describe(stats))
        let answer = try ask("events", ["since": .integer(sequence)])
        if let next = answer["next"]?.integer { sequence = max(0, next - 1) }
        return (snapshot, answer["events"]?.array ?? [])
    }

    /// The description of the statistics. It is fetched again when the groups have changed, because the groups of a
    /// session come and go with it.
    private func describe(_ stats: JSONValue) throws -> JSONValue {
        let groups = (stats["stats"]?.object ?? [:]).filter { $0.value.object != nil }.keys.sorted()
        if groups != describedGroups {
            description = try ask("stats", ["describe": true])
            describedGroups = groups
        }
        return description
    }

    /// The result of a command about playback; null if nothing plays.
    private func askWhatPlays(_ command: String) throws -> JSONValue {
        do {
            return try ask(command)
        } catch let status as Status where status.code == .failed {
            return .null
        }
    }

    private func ask(_ command: String, _ arguments: JSONValue = [:]) throws -> JSONValue {
        lastRequest += 1
        try client.send(ControlRequest(id: lastRequest, command: command, arguments: arguments))
        guard case .answer(let status, let result)? = try client.next() else { throw ControlClientError.closed(path) }
        guard status.isOk else { throw status }
        return result
    }
}
