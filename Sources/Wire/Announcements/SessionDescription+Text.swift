// SPDX-License-Identifier: Apache-2.0
import Bytes

extension SessionDescription {
    /// - Throws: `WireError` with the offset of the line; its value is the line's number, counted from 1.
    public init(parsing bytes: UnsafeRawBufferPointer) throws(WireError) {
        var parser = SDPParser(bytes)
        self = try parser.parse()
    }

    /// The description as text, with lines that end in CR LF. Control characters become spaces; all else is written as
    /// it is.
    public var text: String {
        var lines = [
            "v=0",
            "o=\(origin.userName) \(origin.sessionID) \(origin.sessionVersion) IN "
                + "\(Self.network(of: origin.address)) \(origin.address)",
            "s=\(name.isEmpty ? " " : name)",
        ]
        lines += information.map { ["i=\($0)"] } ?? []
        lines += Self.lines(connection: connection, bandwidthKbps: bandwidthKbps)
        lines.append("t=0 0")
        lines += attributes.map(\.line)
        for media in media {
            let formats = media.formats.map { " \($0)" }.joined()
            lines.append("m=\(media.kind) \(media.port) \(media.transportProtocol)\(formats)")
            lines += Self.lines(connection: media.connection, bandwidthKbps: media.bandwidthKbps)
            lines += media.attributes.map(\.line)
        }
        return lines.map { Self.printable($0) + "\r\n" }.joined()
    }

    private static func lines(connection: Connection?, bandwidthKbps: Int?) -> [String] {
        var lines: [String] = []
        if let connection {
            let ttl = connection.ttl.map { "/\($0)" } ?? ""
            lines.append("c=IN \(network(of: connection.address)) \(connection.address)\(ttl)")
        }
        if let bandwidthKbps { lines.append("b=AS:\(bandwidthKbps)") }
        return lines
    }

    private static func network(of address: String) -> String {
        address.utf8.contains(UInt8(ascii: ":")) ? "IP6" : "IP4"
    }

    private static func printable(_ line: String) -> String {
        var text = ""
        for scalar in line.unicodeScalars { text.unicodeScalars.append(scalar.isControl ? " " : scalar) }
        return text
    }
}

extension SessionDescription.Attribute {
    fileprivate var line: String { value.map { "a=\(name):\($0)" } ?? "a=\(name)" }
}

extension Unicode.Scalar {
    /// Whether it is C0, DEL or C1. These are refused so that no terminal acts on a channel name from outside.
    var isControl: Bool { value < 0x20 || (0x7f...0x9f).contains(value) }
}
