// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Venue

/// What does the commands: the box, or a test's stand-in. Used on the loop's thread only.
public protocol CommandHandler: AnyObject {
    /// Answers `events` and feeds those who follow.
    var eventLog: EventLog { get }

    /// Called for every command of `Command.all` but `events` and the client's own.
    /// - Parameter request: checked against the table.
    /// - Parameter answer: to be called once, now or later, on the loop's thread; the result as `Command.answer` says.
    func handle(_ request: CommandRequest, answer: @escaping (Result<JSONValue, Status>) -> Void)

    /// Somebody follows a data channel, which need not be there yet: by name, or else by id. All who follow the same have one
    /// feed; each gives it back by `leave`.
    func follow(dataChannel: String) -> Result<MessageFeed, Status>

    func leave(_ feed: MessageFeed)
}
