// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Venue

/// Answers commands: the box, or a test's stand-in.
///
/// - Thread: the loop's thread only.
public protocol CommandHandler: AnyObject {
    /// The commands that the handler answers.
    var catalogue: Catalogue { get }

    /// Answers the command `events` and supplies the callers that follow events.
    var eventLog: EventLog { get }

    /// Executes a command. Called for every command of the catalogue except `events`.
    /// - Parameters:
    ///   - request: a request whose arguments its description accepts.
    ///   - answer: is called once, now or later, on the loop's thread. The result has the form that the description
    ///     gives.
    func handle(_ request: CommandRequest, answer: @escaping (Result<JSONValue, Status>) -> Void)

    /// Subscribes a caller to a data channel, which need not exist yet. All callers that follow the same channel share
    /// one feed. Each caller ends its subscription with `leave`.
    /// - Parameter dataChannel: the name of the channel, or else its id.
    func follow(dataChannel: String) -> Result<MessageFeed, Status>

    func leave(_ feed: MessageFeed)

    /// Whether the screen shows a code that makes whoever reads it an administrator.
    var hidesScreen: Bool { get }

    /// Called with each command that changes something when it has ended, and with each that was refused.
    func note(_ act: Act)
}

extension CommandHandler {
    public var hidesScreen: Bool { false }
    public func note(_ act: Act) {}
}
