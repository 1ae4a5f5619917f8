// SPDX-License-Identifier: Apache-2.0
import JSON
import Venue

/// A document of settings that was accepted.
public struct SettingsRevision: Equatable, Sendable {
    /// From 1; 0 stands for a box that nobody has configured.
    public let number: Int
    /// What wrote it: an interface, a person by name, or the path of the file that was imported.
    public let author: String
    /// What was written; a field that is absent has the value of the image.
    public let document: JSONValue
    /// The wall-clock time at which it was made, by RFC 3339; empty if unknown.
    public let time: String
    /// Why it was made, in the words of its author; may be empty.
    public let comment: String
    /// nil once the revision is confirmed.
    public var unconfirmed: Unconfirmed?

    /// What is kept of a revision until it is confirmed. It lets a box that is cut off return to the revision before.
    public struct Unconfirmed: Equatable, Sendable {
        /// The number of the confirmed revision that is in force again if this one is not confirmed; 0 is no revision.
        public let returnTo: Int
        /// The number of starts with this revision that may still be tried. It is 0 unless a change needs a restart.
        public var startsLeft: Int
        /// What worked before the change, and has to work with it.
        public let expected: Set<WorkingCondition>

        public init(returnTo: Int, startsLeft: Int = 0, expected: Set<WorkingCondition> = []) {
            self.returnTo = returnTo
            self.startsLeft = startsLeft
            self.expected = expected
        }
    }

    public init(
        number: Int, author: String, document: JSONValue, time: String = "", comment: String = "",
        unconfirmed: Unconfirmed? = nil
    ) {
        self.number = number
        self.author = author
        self.document = document
        self.time = time
        self.comment = comment
        self.unconfirmed = unconfirmed
    }

    public static let none = SettingsRevision(number: 0, author: "", document: [:])

    /// The same revision, confirmed.
    var confirmed: SettingsRevision {
        var revision = self
        revision.unconfirmed = nil
        return revision
    }
}

/// The disk that keeps the revisions. If power fails at any time, the newest revision on it is the one before a change or
/// the one after it.
///
/// - Thread: the control loop's thread only. The calls do not wait for the disk; they report its end on this thread.
public protocol SettingsArchive: AnyObject {
    /// Writes the revision beside the others and flushes it. A full disk is noticed here.
    /// - Parameter done: is given nil, or what failed.
    func stage(_ revision: SettingsRevision, _ done: @escaping (Status?) -> Void)
    /// Makes the staged revision the newest one. If it has the number of another, it takes the place of that one.
    /// - Parameter numbers: the revisions that are kept, this one included. The others are removed.
    func publish(keeping numbers: Set<Int>, _ done: @escaping (Status?) -> Void)
    /// Removes the staged revision, whose number no other has.
    func abandon()
}
