// SPDX-License-Identifier: Apache-2.0
import Hosting
import Venue

/// A disk that holds one revision, and fails on demand.
public final class MemoryArchive: SettingsArchive {
    public private(set) var kept: SettingsRevision?
    public private(set) var staged: SettingsRevision?
    /// The revisions that the last publication has left.
    public private(set) var keptNumbers: Set<Int> = []
    public var failsToStage = false
    public var failsToPublish = false
    /// Called after each step, with its name.
    public var onStep: (String) -> Void = { _ in }

    public init() {}

    public func stage(_ revision: SettingsRevision, _ done: @escaping (Status?) -> Void) {
        if failsToStage { return done(.failure(.failed, "no room")) }
        staged = revision
        onStep("stage")
        done(nil)
    }

    public func publish(keeping numbers: Set<Int>, _ done: @escaping (Status?) -> Void) {
        if failsToPublish { return done(.failure(.failed, "no rename")) }
        kept = staged
        keptNumbers = numbers
        staged = nil
        onStep("publish")
        done(nil)
    }

    public func abandon() { staged = nil }
}
