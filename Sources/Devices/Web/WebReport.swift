// SPDX-License-Identifier: Apache-2.0
import HTTP

/// What a `WebServer` reports to its owner.
public enum WebReport: Sendable {
    /// A request, to be answered once by `respond`. A client's next request follows only after the answer.
    case request(WebClient, HTTPRequest)
    /// A WebSocket was opened.
    case opened(WebClient, HTTPRequest)
    /// A client's text message, which is UTF-8 and no longer than the server's limit.
    case received(WebClient, [UInt8])
    /// The kernel has taken this many more octets of what `send` queued.
    case sent(WebClient, octets: Int)
    /// A WebSocket or a streamed answer ended.
    case closed(WebClient)
    /// The server thread has ended after an error; nothing is served any more.
    case failed
}
