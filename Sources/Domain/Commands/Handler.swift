// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes
import Venue

/// A command without its Swift type that can be run on its feature. A feature declares its commands as handlers.
public struct Handler<Owner: AnyObject> {
    public let description: CommandDescription
    public let run: (Owner, CommandRequest, @escaping (Result<JSONValue, Status>) -> Void) -> Void

    public init<C: Command>(_ type: C.Type) where C.Owner == Owner {
        description = CommandDescription(type)
        run = { owner, request, answer in
            do throws(Status) {
                answer(.success(try C(reading: request.arguments).run(on: owner).json))
            } catch {
                answer(.failure(error))
            }
        }
    }

    public init<C: DeferredCommand>(_ type: C.Type) where C.Owner == Owner {
        description = CommandDescription(type)
        run = { owner, request, answer in C(reading: request.arguments).run(on: owner, Reply(answer)) }
    }

    public init<C: Command & CalledCommand>(_ type: C.Type) where C.Owner == Owner {
        description = CommandDescription(type)
        run = { owner, request, answer in
            var command = C(reading: request.arguments)
            command.caller = request.caller
            do throws(Status) {
                answer(.success(try command.run(on: owner).json))
            } catch {
                answer(.failure(error))
            }
        }
    }

    public init<C: DeferredCommand & CalledCommand>(_ type: C.Type) where C.Owner == Owner {
        description = CommandDescription(type)
        run = { owner, request, answer in
            var command = C(reading: request.arguments)
            command.caller = request.caller
            command.run(on: owner, Reply(answer))
        }
    }
}

/// The pending answer to a request. If it is released without an answer, it answers with a failure, so that no client
/// waits for ever.
public final class Reply<Value: Answer> {
    private var send: ((Result<JSONValue, Status>) -> Void)?

    public init(_ send: @escaping (Result<JSONValue, Status>) -> Void) { self.send = send }
    deinit { send?(.failure(.failure(.failed, "the answer was lost"))) }

    /// Answers the request. Only the first call has an effect, because both an answer and its timeout may occur.
    public func callAsFunction(_ result: Result<Value, Status>) {
        send?(result.map { $0.json })
        send = nil
    }
}
