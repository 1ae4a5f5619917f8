// SPDX-License-Identifier: Apache-2.0

/// A parameter of a statement, or a column of a row that is copied.
public enum ClusterValue: Equatable, Sendable {
    case integer(Int64)
    case text(String)
    case octets([UInt8])
    case null

    /// NULL for nil.
    public static func optional(_ value: Int64?) -> ClusterValue { value.map { .integer($0) } ?? .null }
    public static func optional(_ value: String?) -> ClusterValue { value.map { .text($0) } ?? .null }

    /// Arrays are sent as PostgreSQL writes them.
    public static func array(_ values: [Int64?]) -> ClusterValue {
        .text("{" + values.map { $0.map { "\($0)" } ?? "NULL" }.joined(separator: ",") + "}")
    }

    public static func array(_ values: [String?]) -> ClusterValue {
        .text("{" + values.map { $0.map(quoted) ?? "NULL" }.joined(separator: ",") + "}")
    }

    private static func quoted(_ text: String) -> String {
        var octets: [UInt8] = [0x22]
        for octet in text.utf8 {
            if octet == 0x22 || octet == 0x5c { octets.append(0x5c) }
            octets.append(octet)
        }
        octets.append(0x22)
        return String(decoding: octets, as: UTF8.self)
    }

    /// The octets as they are sent, with a 0 behind a text; nil for NULL.
    var sent: [UInt8]? {
        switch self {
        case .integer(let integer): Array("\(integer)".utf8) + [0]
        case .text(let text): Array(text.utf8) + [0]
        case .octets(let octets): octets
        case .null: nil
        }
    }

    var isBinary: Bool { if case .octets = self { true } else { false } }

    /// Adds the column to a line of COPY's text format.
    func write(to line: inout [UInt8]) {
        switch self {
        case .integer(let integer): line += "\(integer)".utf8
        case .text(let text):
            for octet in text.utf8 {
                switch octet {
                case 0x5c: line += [0x5c, 0x5c]
                case 0x0a: line += [0x5c, 0x6e]
                case 0x0d: line += [0x5c, 0x72]
                case 0x09: line += [0x5c, 0x74]
                default: line.append(octet)
                }
            }
        case .octets(let octets):
            line += #"\\x"#.utf8
            for octet in octets { line += [Self.digit(octet >> 4), Self.digit(octet & 0xf)] }
        case .null: line += #"\N"#.utf8
        }
    }

    private static func digit(_ half: UInt8) -> UInt8 { half < 10 ? 0x30 + half : 0x57 + half }
}

extension [Int64] {
    /// An array of bigint as PostgreSQL writes it; nil for another text.
    public init?(clusterArray text: String) {
        guard text.hasPrefix("{"), text.hasSuffix("}") else { return nil }
        let words = text.dropFirst().dropLast().split(separator: ",", omittingEmptySubsequences: true)
        self = words.compactMap { Int64($0) }
        guard count == words.count else { return nil }
    }
}
