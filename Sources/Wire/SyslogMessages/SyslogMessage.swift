// SPDX-License-Identifier: Apache-2.0
import Time

/// A message to a collector of logs (RFC 5424), as one datagram (RFC 5426):
///
///     <PRI>1 TIMESTAMP HOSTNAME APP-NAME PROCID MSGID STRUCTURED-DATA MSG
///
/// Names that the format does not take are written as `-`; control characters of the text become spaces, so that no text
/// can look like another message.
public struct SyslogMessage: Equatable, Sendable {
    /// Octets that every collector should take (RFC 5424 §6.1). A longer message is cut.
    public static let mostOctets = 2_048
    /// system daemons
    private static let facility = 3

    /// 0 (emergency)...7 (debug).
    public let severity: Int
    public let time: WallTime
    public let host: String
    public let program: String
    /// What kind of message it is: the subsystem that logs it.
    public let kind: String
    public let text: String

    public init(severity: Int, time: WallTime, host: String, program: String, kind: String, text: String) {
        self.severity = min(max(severity, 0), 7)
        self.time = time
        self.host = host
        self.program = program
        self.kind = kind
        self.text = text
    }

    /// A line as the journal has it: `<5>delivery: object complete tsi=1`. What has no such head is of severity 6.
    public init(line: String, time: WallTime, host: String, program: String) {
        var rest = Substring(line.utf8.last == 0x0a ? String(line.dropLast()) : line)
        var severity = 6
        let octets = Array(rest.utf8.prefix(3))
        if octets.count == 3, octets[0] == UInt8(ascii: "<"), octets[2] == UInt8(ascii: ">"),
            (0x30...0x37).contains(octets[1])
        {
            severity = Int(octets[1] - 0x30)
            rest = rest.dropFirst(3)
        }
        var kind = ""
        if let colon = rest.firstIndex(of: ":"), Self.isName(String(rest[..<colon]), most: 32) {
            kind = String(rest[..<colon])
            rest = rest[rest.index(after: colon)...].drop { $0 == " " }
        }
        self.init(severity: severity, time: time, host: host, program: program, kind: kind, text: String(rest))
    }

    /// At most `mostOctets`, whole code points.
    public var octets: [UInt8] {
        let head =
            "<\(Self.facility * 8 + severity)>1 \(time) \(Self.name(host, most: 255)) \(Self.name(program, most: 48))"
            + " - \(Self.name(kind, most: 32)) - "
        var octets = Array(head.utf8)
        for scalar in text.unicodeScalars {
            let isControl = scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value)
            let written = isControl ? [0x20] : Array(String(scalar).utf8)
            guard octets.count + written.count <= Self.mostOctets else { break }
            octets += written
        }
        return octets
    }

    private static func name(_ text: String, most: Int) -> String { isName(text, most: most) ? text : "-" }

    private static func isName(_ text: String, most: Int) -> Bool {
        (1...most).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
    }
}
