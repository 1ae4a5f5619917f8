// SPDX-License-Identifier: Apache-2.0
import JSON
import Venue

/// A document of settings that was accepted.
public struct SettingsRevision: Equatable, Sendable {
    /// From 1; 0 stands for a box that nobody has configured.
    public let number: Int
    /// What wrote it: an interface, or the path of the file that was imported.
    public let author: String
    /// What was written; a field that is absent has the value of the image.
    public let document: JSONValue

    public init(number: Int, author: String, document: JSONValue) {
        self.number = number
        self.author = author
        self.document = document
    }

    public static let none = SettingsRevision(number: 0, author: "", document: [:])
}

/// The disk that keeps the revisions. If power fails at any time, the newest revision on it is the one before a change or
/// the one after it.
///
/// - Thread: the control loop's thread only. The calls do not wait for the disk; they report its end on this thread.
public protocol SettingsArchive: AnyObject {
    /// Writes the revision beside the others and flushes it. A full disk is noticed here.
    /// - Parameter done: is given nil, or what failed.
    func stage(_ revision: SettingsRevision, _ done: @escaping (Status?) -> Void)
    /// Makes the staged revision the newest one.
    func publish(_ done: @escaping (Status?) -> Void)
    /// Removes the staged revision.
    func abandon()
}
