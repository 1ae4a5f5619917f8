// SPDX-License-Identifier: Apache-2.0
import JSON

/// Where a reader of the events goes on.
public struct EventPlace: Equatable, Sendable {
    /// The sequence number of the last event that it had; nil if it had none.
    public var since: UInt64?
    /// The run of the service that numbered it; nil if the reader does not know.
    public var run: String?

    public init(since: UInt64? = nil, run: String? = nil) {
        self.since = since
        self.run = run
    }

    /// - Parameter arguments: of the command `events`.
    init(_ arguments: JSONValue) {
        since = arguments["since"]?.integer.map { UInt64(clamping: $0) }
        run = arguments["run"]?.string
    }

    /// nil if the number is none of this run.
    func sequence(in log: EventLog) -> UInt64? { run.map { $0 == log.run } ?? true ? since : nil }
}

extension EventLog {
    /// What a reader is told first: the sequence number of the next new event, and the run.
    /// - Parameter resumes: whether it continues where it asked for.
    func greeting(resumes: Bool) -> JSONValue {
        [
            "next": .integer(Int64(clamping: lastSequence + 1)), "run": .string(run), "resumed": .bool(resumes),
        ]
    }
}
