// SPDX-License-Identifier: Apache-2.0
import HTTP

/// One connection as the service thread knows it.
final class WebConnection {
    enum Phase {
        /// Between requests.
        case idle
        case receiving
        /// For the owner's answer.
        case waiting
        case answering
        /// The head of a streamed answer is out.
        case streaming
        case webSocket
        /// Not to be touched any more.
        case closed
    }

    let client: WebClient
    let handle: OpaquePointer
    var phase = Phase.idle
    var request: HTTPRequest?
    /// Of the request, as far as it has come.
    var body: [UInt8] = []
    /// Octets that its head announces.
    var bodyLength = 0
    /// The connection ends with the answer: what follows in it cannot be told from the body.
    var closesAfterAnswer = false
    var isStream = false
    var output = WebOutput()

    init(_ client: WebClient, _ handle: OpaquePointer) {
        self.client = client
        self.handle = handle
    }

    /// Ready for the next request.
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
