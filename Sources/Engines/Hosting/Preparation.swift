// SPDX-License-Identifier: Apache-2.0
import Venue

/// A change of settings that a feature has prepared. Nothing changes before `commit`.
public struct Preparation {
    let commit: () throws(Status) -> Void
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
        self.commit = commit
        self.discard = discard
        self.undo = undo
    }
}
