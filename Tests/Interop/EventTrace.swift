// SPDX-License-Identifier: Apache-2.0
import JSON

/// What a box has told, a line for each event, as the golden traces have it.
struct EventTrace {
    private let box: ControlSocket
    private var seen: Int64 = 0

    init(_ box: ControlSocket) throws {
        self.box = box
        _ = try new()
    }

    /// What is new since the last call. How far something has played is no event of the trace.
    mutating func new() throws -> [String] {
        let result = try box.ask("events", ["since": .integer(seen)]).result
        let events = result["events"]?.array ?? []
        seen = events.compactMap { $0["sequence"]?.integer }.max() ?? seen
        return events.compactMap(Self.line)
    }

    /// Waits for a line that ends it, at most 10 s.
    mutating func upTo(_ last: String) async throws -> [String] {
        var lines: [String] = []
        _ = try await eventually(within: .seconds(10)) {
            lines += try new()
            return lines.contains(last)
        }
        return lines
    }

    private static func line(_ event: JSONValue) -> String? {
        guard let type = event["type"]?.string, type.hasPrefix("video.") || type.hasPrefix("session.") else {
            return nil
        }
        let payload = event["payload"] ?? .null
        let name = payload["channelName"]?.string ?? ""
        switch type {
        // Nor is what decodes, which is the machine's.
        case "session.progress", "session.durationChanged", "session.decoder": return nil
        case "video.channelState": return "\(payload["channelState"]?.string ?? "") \(name)"
        case "video.bufferingActive": return "buffering \(name)"
        case "video.bufferingInactive": return "not buffering \(name)"
        case "video.currentChannelInvalid": return "invalid \(name)"
        default: return type
        }
    }
}
