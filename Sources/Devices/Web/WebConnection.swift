// SPDX-License-Identifier: Apache-2.0
import HTTP

/// The state of one connection; only the service thread uses it.
final class WebConnection {
    enum Phase {
        /// Between requests.
        case idle
        case receiving
        /// The owner has been asked and has not answered yet.
        case waiting
        case answering
        /// The head of a streamed answer has been sent.
        case streaming
        case webSocket
        /// The connection has ended and must not be used any more.
        case closed
    }

    let client: WebClient
    let handle: OpaquePointer
    let peer: HTTPPeer
    /// Whether it came beyond the limit on connections, and only learns that.
    let isSurplus: Bool
    var phase = Phase.idle
    var request: HTTPRequest?
    /// The part of the request's body that has been received.
    var body: [UInt8] = []
    /// Content-Length of the request in octets; 0 for one whose body is not read. A connection carries one body at most.
    var bodyLength = 0
    /// Whether the connection closes after the answer, for instance because octets after the request could not be told
    /// from its body.
    var closesAfterAnswer = false
    /// Whether it came before the setup of the server that is in effect.
    var isOld = false
    var isStream = false
    var output = WebOutput()
    /// The message of a WebSocket's client that is being received.
    var message: WebMessage
    /// With which a WebSocket is to be closed when the output is empty; nil while it stays open.
    var closeStatus: UInt16?
    /// Whether the library has been told to close the WebSocket; it sends its close frame and awaits the answer.
    var isFinished = false

    init(_ client: WebClient, _ handle: OpaquePointer, _ peer: HTTPPeer, isSurplus: Bool, messageLimit: Int) {
        self.client = client
        self.handle = handle
        self.peer = peer
        self.isSurplus = isSurplus
        message = WebMessage(limit: messageLimit)
    }

    /// Prepares for the next request on the connection.
    func reset() {
        phase = .idle
        request = nil
        body = []
        bodyLength = 0
        closesAfterAnswer = false
        isStream = false
        output.removeAll()
    }
}
