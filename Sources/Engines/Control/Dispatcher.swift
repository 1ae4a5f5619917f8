// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Venue

/// Takes the requests of an interface to the handler, after a check of their arguments and of the caller's role. What
/// changes something, and what is refused, is noted for the audit here, whichever way it came.
public struct Dispatcher {
    private unowned let handler: any CommandHandler

    /// - Parameter handler: must outlive the dispatcher.
    public init(handler: any CommandHandler) { self.handler = handler }

    public var eventLog: EventLog { handler.eventLog }

    /// nil for a request that is not of the catalogue.
    func description(of request: CommandRequest) -> CommandDescription? { handler.catalogue[request.command] }

    /// Checks a command and its arguments.
    /// - Throws: if the command is unknown, its description does not accept the arguments, or the caller may not give it.
    public func request(
        _ command: String, _ arguments: JSONValue, of caller: Caller
    ) throws(Status) -> CommandRequest {
        let description: CommandDescription
        var request: CommandRequest
        do {
            description = try handler.catalogue.command(named: command)
            request = try CommandRequest(description, arguments: arguments)
        } catch {
            throw error.status
        }
        request.caller = caller
        try check(request, of: description)
        return request
    }

    /// Why the caller may not give the command; nil if it may.
    /// - Parameter hidesScreen: whether the screen shows what administrators alone may see.
    static func refusal(of command: CommandDescription, for caller: Caller, hidesScreen: Bool) -> Status? {
        if let why = command.refusal(of: caller) { return .failure(.failed, why) }
        guard hidesScreen, command.answer.form == .image else { return nil }
        return screenRefusal(for: caller)
    }

    /// Why the caller may not see a screen that shows a code; nil if it may.
    static func screenRefusal(for caller: Caller) -> Status? {
        guard caller.role != .administrator else { return nil }
        return .failure(.failed, "the screen shows a code that only administrators may see from elsewhere")
    }

    private func check(_ request: CommandRequest, of command: CommandDescription) throws(Status) {
        let refusal = Self.refusal(of: command, for: request.caller, hidesScreen: handler.hidesScreen)
        guard let refusal else { return }
        handler.note(Act(request, of: command, .refused(refusal.errorString)))
        throw refusal
    }

    public func dispatch(
        _ command: String, _ arguments: JSONValue, of caller: Caller,
        answer: @escaping (Result<JSONValue, Status>) -> Void
    ) {
        do throws(Status) {
            dispatch(try request(command, arguments, of: caller), answer: answer)
        } catch {
            answer(.failure(error))
        }
    }

    /// - Parameter request: of a command of the catalogue, with its caller.
    public func dispatch(_ request: CommandRequest, answer: @escaping (Result<JSONValue, Status>) -> Void) {
        guard let command = description(of: request) else {
            return answer(.failure(.failure(.usage, "command '\(request.command)' is not one of this service")))
        }
        do throws(Status) {
            try check(request, of: command)
        } catch {
            return answer(.failure(error))
        }
        guard request.command != "events" else { return answer(.success(events(request).json)) }
        guard !request.asksForStream else {
            return answer(.failure(.failure(.usage, "\(request.command): here are only answers, no stream")))
        }
        // At a console each command is noted: who typed there cannot be told from what came of it.
        guard !command.changesNothing || request.caller.origin == .console else {
            return handler.handle(request, answer: answer)
        }
        handler.handle(request) { [weak handler = handler] result in
            handler?.note(Act(request, of: command, ended: result))
            answer(result)
        }
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
