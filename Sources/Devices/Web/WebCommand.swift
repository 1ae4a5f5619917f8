// SPDX-License-Identifier: Apache-2.0
import HTTP

/// What the owner of a `WebServer` asks of its thread. A command for a closed connection is ignored.
enum WebCommand: Sendable {
    case respond(WebClient, @Sendable () -> HTTPResponse)
    case push(WebClient, [UInt8])
    case send(WebClient, [UInt8])
    case close(WebClient, status: UInt16)
    case apply(WebSetup)
    case stop
}
