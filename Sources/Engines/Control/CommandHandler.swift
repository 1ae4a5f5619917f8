// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Venue

/// The box that answers commands, or a test's stand-in. Used on the loop's thread only.
public protocol CommandHandler: AnyObject {
    /// The commands that it answers.
    var catalogue: Catalogue { get }

    /// Answers `events` and feeds those who follow.
    var eventLog: EventLog { get }

    /// Called for every command of the catalogue but `events`.
    /// - Parameters:
    ///   - request: has passed the check of its description.
    ///   - answer: is called once, now or later, on the loop's thread; the result is as the description says.
    func handle(_ request: CommandRequest, answer: @escaping (Result<JSONValue, Status>) -> Void)

    /// Somebody follows a data channel, which need not be there yet. All who follow the same have one feed; each gives it
    /// back by `leave`.
    /// - Parameter dataChannel: its name, or else its id.
    func follow(dataChannel: String) -> Result<MessageFeed, Status>

    func leave(_ feed: MessageFeed)
}
