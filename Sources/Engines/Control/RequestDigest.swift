// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Signing

/// What a request asks for, short enough to be kept: two requests with the same digest ask for the same.
public struct RequestDigest: Hashable, Sendable {
    private let octets: [UInt8]

    public init(_ request: CommandRequest) {
        octets = Digest.of(Array("\(request.command)\u{0}".utf8) + request.arguments.octets())
    }
}
