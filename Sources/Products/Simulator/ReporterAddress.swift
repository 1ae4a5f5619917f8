// SPDX-License-Identifier: Apache-2.0

/// Where a reporter listens, without TLS.
public struct ReporterAddress: Equatable, Sendable {
    /// Numeric.
    public let host: String
    public let port: UInt16

    public init(host: String, port: UInt16) { (self.host, self.port) = (host, port) }

    /// - Parameter url: `http://ADDRESS:PORT`, the address being numeric or `localhost`, IPv6 between brackets.
    public init?(url: String) {
        guard url.hasPrefix("http://") else { return nil }
        var rest = url.dropFirst(7)
        if rest.last == "/" { rest.removeLast() }
        guard let colon = rest.lastIndex(of: ":"), let port = UInt16(rest[rest.index(after: colon)...]), port > 0 else {
            return nil
        }
        var host = rest[..<colon]
        if host == "localhost" { host = "127.0.0.1" }
        if host.first == "[", host.last == "]", host.count > 2 { host = host.dropFirst().dropLast() }
        let isNumeric = host.utf8.allSatisfy { octet in
            (0x30...0x39).contains(octet) || (0x61...0x66).contains(octet | 0x20) || octet == 0x2e || octet == 0x3a
        }
        guard !host.isEmpty, isNumeric, host.contains(".") || host.contains(":") else { return nil }
        self.init(host: String(host), port: port)
    }

    /// As the field `Host` has it.
    var authority: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
