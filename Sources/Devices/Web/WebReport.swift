// SPDX-License-Identifier: Apache-2.0
import HTTP
import System

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
    /// A setup that was asked for is in effect; or it failed, and the server is as before.
    case applied(Result<WebApplied, SystemCallError>)
    /// The server thread has ended after an error; nothing is served any more.
    case failed
}

/// A setup that is in effect.
public struct WebApplied: Equatable, Sendable {
    /// The ports of its places, in their order.
    public let ports: [UInt16]
    /// The number of the last client that came before it; nil if only limits have changed.
    public let newestClient: UInt64?
}
