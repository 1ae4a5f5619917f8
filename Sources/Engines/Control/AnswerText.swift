// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON

/// Results as people read them: at most 80 columns where that is a matter of layout, and nothing in them that a terminal
/// would act upon.
public struct AnswerText: Sendable {
    private static let width = 80

    private let isStyled: Bool

    /// - Parameter isStyled: titles in bold; never when NO_COLOR is set.
    public init(isStyled: Bool) { self.isStyled = isStyled }

    /// - Returns: whole lines; empty for a command that answers nothing.
    public func text(of result: JSONValue, as shape: AnswerShape) -> String {
        switch shape {
        case .nothing: ""
        case .record(let fields):
            pairs(fields.compactMap { field in result[field.name].map { (field.name, $0) } })
        case .table(let member, let fields):
            table(result[member]?.array ?? [], fields.filter { !$0.isDetail }.map(\.name))
        case .dictionary(let member, _):
            pairs(Self.flattened(result[member]?.object ?? [:], under: ""))
        case .document(let member, _): Self.harmless(result[member]?.text(pretty: true) ?? "", keeping: "\n")
        case .events: (result["events"]?.array ?? []).map(event).joined()
        case .image: "\(Self.cell(result["width"] ?? .null))x\(Self.cell(result["height"] ?? .null))\n"
        }
    }

    /// One line.
    public func event(_ event: JSONValue) -> String {
        let parts = ["time", "sequence", "type"].map { Self.cell(event[$0] ?? .null) }
        let payload = event["payload"].flatMap { $0 == [:] || $0.isNull ? nil : Self.cell($0) }
        return (parts + (payload.map { [$0] } ?? [])).joined(separator: " ") + "\n"
    }

    private func table(_ rows: [JSONValue], _ names: [String]) -> String {
        let cells = rows.map { row in names.map { Self.cell(row[$0] ?? .null) } }
        var lines = TextTable(titles: names, rows: cells).lines(width: Self.width)
        if isStyled { lines[0] = "\u{1b}[1m\(lines[0])\u{1b}[0m" }
        return lines.joined(separator: "\n") + "\n"
    }

    private func pairs(_ pairs: [(name: String, value: JSONValue)]) -> String {
        let width = pairs.map(\.name.count).max() ?? 0
        return pairs.map { name, value in
            "\(Self.harmless(name))\(String(repeating: " ", count: width - name.count))  \(Self.cell(value))\n"
        }.joined()
    }

    /// Members of groups as `group.name`, sorted, those without a group first.
    private static func flattened(_ members: [String: JSONValue], under prefix: String) -> [(
        name: String, value: JSONValue
    )] {
        let sorted = members.sorted { $0.key < $1.key }
        let plain = sorted.filter { $0.value.object == nil }.map { (prefix + $0.key, $0.value) }
        return plain + sorted.flatMap { flattened($0.value.object ?? [:], under: "\(prefix)\($0.key).") }
    }

    private static func cell(_ value: JSONValue) -> String {
        switch value {
        case .null: "-"
        case .bool(let value): value ? "yes" : "no"
        case .string(let text): harmless(text)
        default: harmless(value.text())
        }
    }

    /// Without control characters and without what turns the direction of writing: names come from strangers.
    static func harmless(_ text: String, keeping kept: Unicode.Scalar? = nil) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                result.append(scalar == kept ? scalar : "\u{fffd}")
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
