// SPDX-License-Identifier: Apache-2.0
import Venue

/// The log of one subsystem. `log(.notice, "object complete", ["tsi": tsi, "toi": toi])` writes
/// `<5>delivery: object complete tsi=1 toi=7`; journald keeps the number as the priority.
public struct Log: Sendable {
    /// Fields in the order in which they are written.
    public typealias Fields = KeyValuePairs<String, any CustomStringConvertible>

    /// Limit on the octets of a value's text; longer text is cut.
    private static let valueLimit = 1_024

    private let subsystem: String
    private let threshold: Threshold
    private let write: @Sendable (String) -> Void

    init(subsystem: String, threshold: Threshold, write: @escaping @Sendable (String) -> Void) {
        self.subsystem = subsystem
        self.threshold = threshold
        self.write = write
    }

    /// Whether `level` is logged; a caller can skip work whose only purpose is to be logged.
    public func admits(_ level: LogLevel) -> Bool { threshold.admits(level) }

    /// - Parameters:
    ///   - message: constant; what varies goes into the fields.
    ///   - fields: evaluated only if the level is logged.
    public func callAsFunction(_ level: LogLevel, _ message: StaticString, _ fields: @autoclosure () -> Fields = [:]) {
        guard threshold.admits(level) else { return }
        var line = "<\(level.priority)>\(subsystem): \(message)"
        for (name, value) in fields() { line += " \(name)=\(Self.text(of: value.description))" }
        write(line + "\n")
    }

    /// A plain word stays as it is. Other text is quoted, so that no value can look like another field or line.
    private static func text(of value: String) -> String {
        let isPlain = !value.isEmpty && value.utf8.count <= valueLimit && value.utf8.allSatisfy(isPlain)
        if isPlain { return value }
        var text = "\""
        for scalar in value.unicodeScalars {
            guard text.utf8.count < valueLimit else {
                text += "…"
                break
            }
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case "\n": text += "\\n"
            case _ where scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value):
                text += "\\u{\(String(scalar.value, radix: 16))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }

    private static func isPlain(_ octet: UInt8) -> Bool {
        (0x21...0x7e).contains(octet) && octet != UInt8(ascii: "\"") && octet != UInt8(ascii: "=")
            && octet != UInt8(ascii: "\\")
    }
}
