// SPDX-License-Identifier: Apache-2.0
import Time

/// The state of one connection of a `WebSocketClient`; only its thread uses it.
final class WebSocketLink {
    enum Phase {
        /// The name of the host is being looked up.
        case lookingUp
        /// The next address is to be tried.
        case trying
        /// The library is connecting to an address, or awaits the server's answer.
        case connecting
        case open
        /// The WebSocket closes when the output is empty.
        case closing
    }

    let connection: WebSocketClient.Connection
    let target: WebSocketTarget
    var phase = Phase.lookingUp
    /// Addresses that have not been tried yet.
    var addresses: [String] = []
    /// What the last address failed with.
    var failure = ""
    /// The number by which the library's callbacks know the attempt; 0 while there is none.
    var attempt: UInt = 0
    /// The library's connection; nil while there is none.
    var handle: OpaquePointer?
    /// When the phase must have ended.
    var deadline: Monotonic
    /// When an attempt at connecting must have ended, all addresses included.
    let connectingDeadline: Monotonic
    /// When the server is to be asked whether it lives.
    var nextPing: Monotonic
    var isPingDue = false
    var output = WebOutput()
    var unsent = 0
    var message: WebMessage
    /// With which the connection is to be closed when the output is empty.
    var closeStatus: UInt16 = 1_000
    /// Whether the library has been told to close; it sends its close frame and awaits the answer.
    var isFinished = false
    /// What the server closed the connection with; nil unless it sent a close frame with a status.
    var serverStatus: UInt16?

    init(
        _ connection: WebSocketClient.Connection, _ target: WebSocketTarget, messageLimit: Int, deadline: Monotonic
    ) {
        self.connection = connection
        self.target = target
        self.deadline = deadline
        connectingDeadline = deadline
        nextPing = deadline
        message = WebMessage(limit: messageLimit)
    }
}
