// SPDX-License-Identifier: Apache-2.0
import HTTP

/// What a `WebServer` tells its owner.
public enum WebReport: Sendable {
    /// To be answered once, by `respond`. Of one client the next comes after the answer.
    case request(WebClient, HTTPRequest)
    /// A WebSocket was let in.
    case opened(WebClient, HTTPRequest)
    /// Of `send`, the kernel has taken so many octets more.
    case sent(WebClient, octets: Int)
    /// A WebSocket or a streamed answer ended.
    case closed(WebClient)
    /// Nothing is served any more.
    case failed
}
