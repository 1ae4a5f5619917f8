// SPDX-License-Identifier: Apache-2.0
import HTTP

/// What the owner of a `WebServer` wants of its thread. Clients that are gone are passed over.
enum WebCommand: Sendable {
    case respond(WebClient, HTTPResponse)
    case push(WebClient, [UInt8])
    case send(WebClient, [UInt8])
    case stop
}
