// SPDX-License-Identifier: Apache-2.0
import Venue

/// The changes that a feature has made ready. Nothing has changed when it is handed over.
public struct Preparation {
    let commit: () throws(Status) -> Void
    let discard: () -> Void
    let undo: () -> Void

    /// - Parameters:
    ///   - discard: is called instead of `commit`: gives back what was reserved.
    ///   - undo: is called after `commit`, if a later feature fails: everything as before.
    ///   - commit: throws with everything of this feature as it was before.
    public init(
        discard: @escaping () -> Void = {}, undo: @escaping () -> Void,
        commit: @escaping () throws(Status) -> Void
    ) {
        self.commit = commit
        self.discard = discard
        self.undo = undo
    }
}

/// The file that keeps the settings. Power may fail between any two calls: what is found afterwards is the old document or
/// the new one.
public protocol DurableDocument: AnyObject {
    /// Writes the new document beside the old one, down to the disk. What can fail for want of room fails here.
    func stage(_ octets: [UInt8]) throws(Status)
    /// Puts the staged document in the place of the old one, by one atomic step.
    func publish() throws(Status)
    /// Forgets the staged document.
    func abandon()
}
