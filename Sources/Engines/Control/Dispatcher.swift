// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Venue

/// Takes the requests of an interface to the handler, after a check of their arguments and of the caller's role.
public struct Dispatcher {
    private unowned let handler: any CommandHandler
    private let role: Role
    private let origin: Origin

    /// - Parameters:
    ///   - handler: must outlive the dispatcher.
    ///   - role: the role of every caller of this interface.
    public init(handler: any CommandHandler, role: Role, origin: Origin) {
        self.handler = handler
        self.role = role
        self.origin = origin
    }

    public var eventLog: EventLog { handler.eventLog }

    /// Checks a command and its arguments.
    /// - Throws: if the command is unknown, its description does not accept the arguments, or it needs another role.
    public func request(_ command: String, _ arguments: JSONValue) throws(Status) -> CommandRequest {
        let description: CommandDescription
        let request: CommandRequest
        do {
            description = try handler.catalogue.command(named: command)
            request = try CommandRequest(description, arguments: arguments)
        } catch {
            throw error.status
        }
        if let refusal = Self.refusal(of: description, for: role) { throw refusal }
        return request
    }

    /// Whether the request may be carried out as often as it comes.
    func changesNothing(_ request: CommandRequest) -> Bool {
        handler.catalogue[request.command]?.changesNothing ?? false
    }

    /// Why the role may not give the command; nil if it may.
    static func refusal(of command: CommandDescription, for role: Role) -> Status? {
        guard role < command.role else { return nil }
        return .failure(.failed, "\(command.name) needs the role \(command.role.rawValue); this is \(role.rawValue)")
    }

    public func dispatch(
        _ command: String, _ arguments: JSONValue, answer: @escaping (Result<JSONValue, Status>) -> Void
    ) {
        do throws(Status) {
            dispatch(try request(command, arguments), answer: answer)
        } catch {
            answer(.failure(error))
        }
    }

    /// - Parameter request: made by `request(_:_:)`.
    public func dispatch(_ request: CommandRequest, answer: @escaping (Result<JSONValue, Status>) -> Void) {
        guard request.command == "events" else {
            guard !request.asksForStream else {
                return answer(.failure(.failure(.usage, "\(request.command): here are only answers, no stream")))
            }
            var request = request
            request.origin = origin
            return handler.handle(request, answer: answer)
        }
        answer(.success(events(request).json))
    }

    /// The answer to a request of the command `events`; making JSON of it takes some milliseconds.
    public func events(_ request: CommandRequest) -> EventListing {
        EventListing(of: handler.eventLog, after: EventPlace(request.arguments))
    }

    /// - Parameter request: a request of the command `data` that asks for a stream.
    public func follow(_ request: CommandRequest) -> Result<MessageFeed, Status> {
        guard let channel = request.text("channel") else {
            return .failure(.failure(.usage, "data: channel is missing; expected a name or an id to follow"))
        }
        return follow(dataChannel: channel)
    }

    public func follow(dataChannel: String) -> Result<MessageFeed, Status> { handler.follow(dataChannel: dataChannel) }

    public func leave(_ feed: MessageFeed) { handler.leave(feed) }
}
