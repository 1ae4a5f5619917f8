// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes
import Venue

/// A command without its Swift type, ready to run on its feature. A list of handlers is the table of commands.
public struct Handler<Owner: AnyObject> {
    public let description: CommandDescription
    public let run: (Owner, JSONValue, @escaping (Result<JSONValue, Status>) -> Void) -> Void

    public init<C: Command>(_ type: C.Type) where C.Owner == Owner {
        description = CommandDescription(type)
        run = { owner, arguments, answer in
            do throws(Status) {
                answer(.success(try C(reading: arguments).run(on: owner).json))
            } catch {
                answer(.failure(error))
            }
        }
    }

    public init<C: DeferredCommand>(_ type: C.Type) where C.Owner == Owner {
        description = CommandDescription(type)
        run = { owner, arguments, answer in C(reading: arguments).run(on: owner, Reply(answer)) }
    }
}

/// The answer that is owed to somebody. One that is dropped unanswered says so itself: no client waits for ever.
public final class Reply<Value: Answer> {
    private var send: ((Result<JSONValue, Status>) -> Void)?

    public init(_ send: @escaping (Result<JSONValue, Status>) -> Void) { self.send = send }
    deinit { send?(.failure(.failure(.failed, "the answer was lost"))) }

    /// The first call answers, later ones do nothing: an answer and its timeout may both come.
    public func callAsFunction(_ result: Result<Value, Status>) {
        send?(result.map { $0.json })
        send = nil
    }
}
