// SPDX-License-Identifier: Apache-2.0
import Venue

/// A change of settings that a feature has prepared. Nothing changes before `commit`.
public struct Preparation {
    /// Applies the change and calls its argument once, with nil or with why the feature is as before.
    let commit: (_ end: @escaping (Status?) -> Void) -> Void
    let discard: () -> Void
    let undo: () -> Void

    /// - Parameters:
    ///   - discard: releases what was reserved. It is called instead of `commit`.
    ///   - undo: restores the previous state. It is called after `commit` if a later feature fails or the document
    ///     cannot be published.
    ///   - commit: applies the change. If it throws, it has left the feature unchanged.
    public init(
        discard: @escaping () -> Void = {}, undo: @escaping () -> Void,
        commit: @escaping () throws(Status) -> Void
    ) {
        self.init(discard: discard, undo: undo) { end in
            do throws(Status) {
                try commit()
                end(nil)
            } catch {
                end(error)
            }
        }
    }

    /// A change that takes a while, during which the control loop does not wait.
    /// - Parameters:
    ///   - undo: restores the previous state; nobody waits for it.
    ///   - begin: begins to apply the change. It calls its argument once, now or later, on the control loop's thread:
    ///     with nil when the change is in effect, or with why it is not; the feature is as before then.
    public init(
        discard: @escaping () -> Void = {}, undo: @escaping () -> Void,
        begin: @escaping (_ end: @escaping (Status?) -> Void) -> Void
    ) {
        self.commit = begin
        self.discard = discard
        self.undo = undo
    }
}
