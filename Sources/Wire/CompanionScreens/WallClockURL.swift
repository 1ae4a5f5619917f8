// SPDX-License-Identifier: Apache-2.0
import Venue

/// Where a server of the wall clock is, `udp://host:port` (TS 103 286-2, CSS-CII `wcUrl`).
public struct WallClockURL: Hashable, Sendable, LosslessStringConvertible {
    public let host: ServiceHost
    /// 1...65 535.
    public let port: UInt16

    /// - Parameter port: 1...65 535.
    public init(_ address: NumericAddress, port: UInt16) {
        precondition(port > 0)
        host = .address(address)
        self.port = port
    }

    /// Nil unless the text is a `udp` URL with host and port; a path other than `/` is refused. An IPv6 address stands in
    /// brackets.
    public init?(_ text: String) {
        guard let url = ServiceURL(text), url.scheme == "udp", let port = url.port, ["", "/"].contains(url.rest) else {
            return nil
        }
        host = url.host
        self.port = port
    }

    public var description: String { "udp://\(host):\(port)" }
}
