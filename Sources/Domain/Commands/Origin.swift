// SPDX-License-Identifier: Apache-2.0

/// The interface that a request came by.
public enum Origin: String, Sendable, CaseIterable {
    case localSocket, http, dataChannel
    /// A signed order, whichever interface brought it: the signature is its right.
    case push
}

/// A command whose effect depends on the interface that it came by.
public protocol OriginatedCommand: AnsweredCommand {
    /// Set before the command runs. It is no argument.
    var origin: Origin { get set }
}
