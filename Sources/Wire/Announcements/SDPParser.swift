// SPDX-License-Identifier: Apache-2.0
import Bytes

/// Parses a session description line by line. Lines end in CR LF or LF. Octets that are not UTF-8 become U+FFFD.
struct SDPParser {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0
    private var lineNumber = 0
    /// Offset of the current line.
    private var lineStart = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    mutating func parse() throws(WireError) -> SessionDescription {
        guard bytes.count <= SessionDescription.mostOctets else {
            throw WireError(.limit("SDP length", UInt64(bytes.count)), at: 0)
        }
        guard let version = try nextLine(), version.type == "v" else { throw invalid("SDP v= line") }
        guard version.value == "0" else { throw WireError(.unsupported("SDP version in line", 1), at: 0) }
        guard let origin = try nextLine(), origin.type == "o" else { throw invalid("SDP o= line") }
        var session = SessionDescription(origin: try parse(origin: origin.value), name: "")
        guard let name = try nextLine(), name.type == "s" else { throw invalid("SDP s= line") }
        session.name = name.value
        while let line = try nextLine() {
            if line.type == "m" {
                guard session.media.count < SessionDescription.mostMedia else {
                    throw WireError(.limit("SDP media", UInt64(session.media.count) + 1), at: lineStart)
                }
                session.media.append(try parse(media: line.value))
            } else if let last = session.media.indices.last {
                try apply(line, to: &session.media[last])
            } else {
                try apply(line, to: &session)
            }
        }
        return session
    }

    // MARK: Lines

    private func invalid(_ name: StaticName) -> WireError {
        WireError(.invalid(name, UInt64(lineNumber)), at: min(lineStart, bytes.count))
    }

    /// The next line; nil after the last one. Some senders end the text with a NUL or with empty lines.
    private mutating func nextLine() throws(WireError) -> (type: Unicode.Scalar, value: String)? {
        lineStart = offset
        lineNumber += 1
        guard offset < bytes.count, bytes[offset] != 0, hasText else { return nil }
        guard lineNumber <= SessionDescription.mostLines else {
            throw WireError(.limit("SDP lines", UInt64(lineNumber)), at: offset)
        }
        var end = bytes[offset...].firstIndex { $0 == 0x0a || $0 == 0 } ?? bytes.count
        offset = end < bytes.count && bytes[end] == 0x0a ? end + 1 : end
        if end > lineStart, bytes[end - 1] == 0x0d { end -= 1 }
        guard end - lineStart <= SessionDescription.longestLine else {
            throw WireError(.limit("SDP line length", UInt64(end - lineStart)), at: lineStart)
        }
        guard end - lineStart >= 2, bytes[lineStart + 1] == UInt8(ascii: "=") else { throw invalid("SDP line") }
        let value = String(decoding: bytes[(lineStart + 2)..<end], as: UTF8.self)
        guard !value.unicodeScalars.contains(where: { $0.isControl && $0 != "\t" }) else {
            throw invalid("SDP control character in line")
        }
        return (Unicode.Scalar(bytes[lineStart]), value)
    }

    /// Whether something but line ends follows.
    private var hasText: Bool { bytes[offset...].contains { $0 != 0x0a && $0 != 0x0d && $0 != 0 } }

    private mutating func apply(
        _ line: (type: Unicode.Scalar, value: String), to session: inout SessionDescription
    ) throws(WireError) {
        switch line.type {
        case "i": session.information = line.value
        case "c":
            let connection = try parse(connection: line.value)
            session.connection = session.connection ?? connection
        case "b": session.bandwidthKbps = parse(bandwidth: line.value) ?? session.bandwidthKbps
        case "a": session.attributes.append(try parse(attribute: line.value))
        case "u", "e", "p", "t", "r", "z", "k": break
        default: throw invalid("SDP type in line")
        }
    }

    private mutating func apply(
        _ line: (type: Unicode.Scalar, value: String), to media: inout SessionDescription.Media
    ) throws(WireError) {
        switch line.type {
        case "c":  // several are the layers of a layered encoding, the base layer first (RFC 8866 §5.7)
            let connection = try parse(connection: line.value)
            media.connection = media.connection ?? connection
        case "b": media.bandwidthKbps = parse(bandwidth: line.value) ?? media.bandwidthKbps
        case "a": media.attributes.append(try parse(attribute: line.value))
        case "i", "k": break
        default: throw invalid("SDP type in line")
        }
    }

    // MARK: Values

    private func parse(origin text: String) throws(WireError) -> SessionDescription.Origin {
        let fields = text.split(separator: " ")
        guard fields.count == 6, isInternet(fields[3...4]) else {
            throw invalid("SDP o= line")
        }
        return SessionDescription.Origin(
            userName: String(fields[0]), sessionID: String(fields[1]), sessionVersion: String(fields[2]),
            address: String(fields[5]))
    }

    /// Parses `IN IP4 239.1.1.1/ttl[/count]` or `IN IP6 ff05::1[/count]`.
    private func parse(connection text: String) throws(WireError) -> SessionDescription.Connection {
        let fields = text.split(separator: " ")
        guard fields.count == 3, isInternet(fields[0...1]) else { throw invalid("SDP c= line") }
        let isIPv4 = fields[1].uppercased() == "IP4"
        let parts = fields[2].split(separator: "/", omittingEmptySubsequences: false)
        let numbers = parts.dropFirst().map { UInt16($0) }
        guard let address = parts.first, !address.isEmpty, parts.count <= (isIPv4 ? 3 : 2),
            !numbers.contains(nil)
        else { throw invalid("SDP c= line") }
        var connection = SessionDescription.Connection(address: String(address))
        if isIPv4, parts.count > 1 {
            guard let ttl = UInt8(parts[1]) else { throw invalid("SDP c= line") }
            connection.ttl = ttl
        }
        return connection
    }

    /// Whether nettype and addrtype are the Internet's. RFC 8866 writes them in capitals, some senders do not.
    private func isInternet(_ fields: ArraySlice<Substring>) -> Bool {
        let types = fields.map { $0.uppercased() }
        return types == ["IN", "IP4"] || types == ["IN", "IP6"]
    }

    /// Parses a bandwidth, in kbit/s. Nil for types that do not state the bandwidth of the media (`RR`, `RS`, `CT`,
    /// experimental ones), and for one that cannot be read: the media can be received without it.
    private func parse(bandwidth text: String) -> Int? {
        let fields = text.split(separator: ":", maxSplits: 1)
        guard fields.count == 2, let value = UInt32(fields[1]) else { return nil }
        switch fields[0] {
        case "AS": return Int(value)
        case "TIAS": return (Int(value) + 999) / 1_000
        default: return nil
        }
    }

    private func parse(attribute text: String) throws(WireError) -> SessionDescription.Attribute {
        let fields = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = fields.first, !name.isEmpty else { throw invalid("SDP a= line") }
        return SessionDescription.Attribute(
            name: String(name), value: fields.count > 1 ? String(fields[1]) : nil)
    }

    /// Parses `video 5004[/count] RTP/AVP 33 …`. Formats are optional, because RFC 6364 shows `application 30000
    /// UDP/FEC`.
    private func parse(media text: String) throws(WireError) -> SessionDescription.Media {
        let fields = text.split(separator: " ")
        guard fields.count >= 3 else { throw invalid("SDP m= line") }
        let ports = fields[1].split(separator: "/", omittingEmptySubsequences: false)
        guard let port = ports.first.flatMap({ UInt16($0) }), ports.count <= 2, ports.allSatisfy({ UInt16($0) != nil })
        else { throw invalid("SDP m= line") }
        return SessionDescription.Media(
            kind: String(fields[0]), port: port, transportProtocol: String(fields[2]),
            formats: fields[3...].map(String.init))
    }
}
