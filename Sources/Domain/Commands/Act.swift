// SPDX-License-Identifier: Apache-2.0
import JSON
import Venue

/// What somebody did or tried, for the audit.
public struct Act: Equatable, Sendable {
    public enum Outcome: Equatable, Sendable {
        /// With the revision of the settings that it made; nil if it made none.
        case done(revision: Int64?)
        case failed(String)
        /// The caller has no right to it.
        case refused(String)
    }

    public let caller: Caller
    /// Name of the command, or path of what is none.
    public let command: String
    /// As logs may show them.
    public let arguments: JSONValue
    /// Whether it concerns the box itself, and not just what it plays.
    public let isAdministration: Bool
    public let outcome: Outcome

    public init(
        _ caller: Caller, _ command: String, arguments: JSONValue = [:], isAdministration: Bool = true,
        _ outcome: Outcome
    ) {
        self.caller = caller
        self.command = command
        self.arguments = arguments
        self.isAdministration = isAdministration
        self.outcome = outcome
    }

    public init(_ request: CommandRequest, of command: CommandDescription, _ outcome: Outcome) {
        self.init(
            request.caller, command.name, arguments: command.shown(request.arguments),
            isAdministration: command.role > .operator || command.admission != .role, outcome)
    }

    public init(_ request: CommandRequest, of command: CommandDescription, ended result: Result<JSONValue, Status>) {
        switch result {
        case .success(let answer): self.init(request, of: command, .done(revision: answer["revision"]?.integer))
        case .failure(let status): self.init(request, of: command, .failed(status.errorString))
        }
    }
}
