// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON

/// What `touchline events --follow --json` prints, line by line.
final class EventReader {
    private let process: ChildProcess
    private var offset = 0
    private var events: [JSONValue] = []

    init(_ process: ChildProcess) { self.process = process }

    /// The next event that fits; those before it are skipped.
    func next(
        _ type: String, within limit: Duration, where fits: (JSONValue) -> Bool = { _ in true }
    ) async throws -> JSONValue {
        var found: JSONValue?
        _ = try await eventually(within: limit) {
            try read()
            while found == nil, !events.isEmpty {
                let event = events.removeFirst()
                if event["type"] == .string(type), fits(event["payload"] ?? .null) { found = event }
            }
            return found != nil
        }
        guard let found else { throw VenueError("no event \(type) within \(limit)") }
        return found
    }

    /// All that came since.
    func rest() throws -> [JSONValue] {
        try read()
        defer { events = [] }
        return events
    }

    private func read() throws {
        let new = try process.output(from: offset)
        guard let end = new.lastIndex(of: UInt8(ascii: "\n")) else { return }
        offset += end + 1 - new.startIndex
        events += try new[...end].split(separator: UInt8(ascii: "\n")).map { try JSONValue.parse(Array($0)) }
    }
}
