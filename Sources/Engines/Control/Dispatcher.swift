// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Venue

/// From a request, wherever it came from, to its answer.
public struct Dispatcher {
    private unowned let handler: any CommandHandler
    private let role: Command.Role

    /// - Parameter handler: outlives the dispatcher.
    /// - Parameter role: of everybody who comes through this door.
    public init(handler: any CommandHandler, role: Command.Role) {
        self.handler = handler
        self.role = role
    }

    public var eventLog: EventLog { handler.eventLog }

    public func dispatch(_ request: CommandRequest, answer: @escaping (Result<JSONValue, Status>) -> Void) {
        if let refusal = refusal(of: request) { return answer(.failure(refusal)) }
        guard request.command == "events" else {
            guard !request.followsData else {
                return answer(.failure(.failure(.usage, "data follow: this door has no messages, only answers")))
            }
            return handler.handle(request, answer: answer)
        }
        let log = handler.eventLog
        let (dropped, events) = log.events(after: UInt64(clamping: request.integer("since") ?? 0))
        answer(
            .success([
                "events": .array(events.map(\.json)), "dropped": .integer(Int64(clamping: dropped)),
                "next": .integer(Int64(clamping: log.lastSequence + 1)),
            ]))
    }

    /// - Parameter request: one that `followsData`.
    public func follow(_ request: CommandRequest) -> Result<MessageFeed, Status> {
        if let refusal = refusal(of: request) { return .failure(refusal) }
        guard let channel = request.text("channel") else {
            return .failure(.failure(.usage, "data: channel is missing; expected a name or an id to follow"))
        }
        return follow(dataChannel: channel)
    }

    public func follow(dataChannel: String) -> Result<MessageFeed, Status> { handler.follow(dataChannel: dataChannel) }

    public func leave(_ feed: MessageFeed) { handler.leave(feed) }

    /// Nil when this door may ask for it.
    func refusal(of request: CommandRequest) -> Status? {
        guard let command = try? Command.named(request.command), !command.isLocal else {  // else it has no request
            return .failure(.usage, "\(request.command) is answered by the client itself")
        }
        guard role.includes(command.role) else {
            return .failure(
                .failed, "\(command.name) needs the role \(command.role.rawValue); this is \(role.rawValue)")
        }
        return nil
    }
}
