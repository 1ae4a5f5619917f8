// SPDX-License-Identifier: Apache-2.0

/// The reason why a session failed.
public struct PlaybackFailure: Hashable, Sendable {
    public enum Code: String, Sendable { case noSourceFound, openFailed, playbackFailed }

    public var code: Code
    public var why: String

    public init(_ code: Code, _ why: String) {
        self.code = code
        self.why = why
    }
}
