// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON

/// What a box has told about following a television.
struct SyncTrace {
    struct Lines: Equatable {
        /// Of the sync controller, by name.
        var states: [String] = []
        /// When each state began by the clock of the box, seconds.
        var times: [Double] = []
        /// What became of the television. Refusals in a row, of which there are as many as attempts, are one.
        var television: [String] = []
    }

    private let box: ControlSocket
    private var seen: Int64 = 0

    init(_ box: ControlSocket) { self.box = box }

    /// What is new since the last call.
    mutating func new() throws -> Lines {
        let events = try box.ask("events", ["since": .integer(seen)]).result["events"]?.array ?? []
        seen = events.compactMap { $0["sequence"]?.integer }.max() ?? seen
        var lines = Lines()
        for event in events {
            let payload = event["payload"] ?? .null
            if event["type"] == "sync.state" {
                lines.states.append(payload["name"]?.string ?? "")
                lines.times.append(Self.time(of: event))
            } else if event["type"] == "sync.television" {
                let line = Self.line(payload)
                if line != lines.television.last { lines.television.append(line) }
            }
        }
        return lines
    }

    /// When the box has told an event, by its clock, seconds.
    static func time(of event: JSONValue) -> Double {
        let format = ISO8601DateFormatter()
        format.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        let date = event["time"]?.string.flatMap { format.date(from: $0) }
        return date?.timeIntervalSince1970 ?? .nan
    }

    private static func line(_ payload: JSONValue) -> String {
        let (what, details) = (payload["what"]?.string ?? "", payload["details"]?.array ?? [])
        switch what {
        case "information": return "presents \(payload["contentId"]?.string ?? "nothing")"
        case "refused": return "refuses \(details.first?.string ?? "")"
        default: return what
        }
    }
}
