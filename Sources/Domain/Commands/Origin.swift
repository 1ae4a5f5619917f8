// SPDX-License-Identifier: Apache-2.0

/// The interface that a request came by.
public enum Origin: String, Sendable, CaseIterable {
    case localSocket, http, webSocket, dataChannel
    /// The control socket, with a session of somebody who logged in at the console.
    case console
    /// A signed order, whichever interface brought it: the signature is its right.
    case push
    /// A signed command for a group of boxes.
    case groupCommand
    /// The service itself, such as a strategy that tunes.
    case service

    /// Whether it may change the settings that only the box itself may change (`FieldDescription.isLocalOnly`).
    public var mayChangeLocalSettings: Bool {
        switch self {
        case .localSocket, .console, .push, .service: true
        case .http, .webSocket, .dataChannel, .groupCommand: false
        }
    }
}

/// A command whose effect depends on who gives it.
public protocol CalledCommand: AnsweredCommand {
    /// Set before the command runs. It is no argument.
    var caller: Caller { get set }
}
