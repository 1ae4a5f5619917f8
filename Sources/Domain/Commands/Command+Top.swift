// SPDX-License-Identifier: Apache-2.0

extension Command {
    static let top = Command(
        "top", "Watch streams and counters live",
        help: """
            A screen of what plays, how fast the counters go and what happens, until q or Ctrl-C. Space stops the screen
            while the box goes on, s sorts the counters by rate or by name, up and down move through them. Where there is
            no terminal, or a dumb one, a line at each look.
            """,
        options: [
            CommandParameter(
                "interval", .integer(1...60), isOptional: true, "Seconds between looks; absent: 1."),
            CommandParameter(
                "count", .integer(1...1_000_000), isOptional: true, "End after so many looks; absent: never."),
        ], isLocal: true)
}

/// How `top` looks.
public struct TopOptions: Equatable, Sendable {
    /// Seconds.
    public let interval: Int64
    /// Looks; nil: until it is ended.
    public let count: Int64?

    init(_ request: CommandRequest) {
        interval = request.integer("interval") ?? 1
        count = request.integer("count")
    }
}
