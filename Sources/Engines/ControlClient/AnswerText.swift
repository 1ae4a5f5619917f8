// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Shapes
import Terminal

/// Formats results for people. Tables are at most 80 columns wide. No text contains characters that a terminal would
/// act upon.
public struct AnswerText: Sendable {
    private static let width = 80

    private let isStyled: Bool
    private let isLong: Bool
    private let eventWidth: Int?

    /// - Parameters:
    ///   - isStyled: whether the titles of tables are bold. The caller passes false if NO_COLOR is set.
    ///   - isLong: whether a table is printed as one record per row, with every detail and uncut.
    ///   - eventWidth: the columns that events and messages are cut to; nil leaves them uncut.
    public init(isStyled: Bool, isLong: Bool = false, eventWidth: Int? = nil) {
        self.isStyled = isStyled
        self.isLong = isLong
        self.eventWidth = eventWidth
    }

    /// - Returns: whole lines; empty for a command that answers nothing.
    public func text(of result: JSONValue, as answer: AnswerDescription) -> String {
        let member = answer.member.flatMap { result[$0.name] } ?? .null
        return switch answer.form {
        case .nothing: ""
        case .record: pairs(answer.fields.compactMap { field in result[field.name].map { (field.name, $0) } })
        case .table:
            (isLong
                ? records(member.array ?? [], answer.columns)
                : table(member.array ?? [], answer.columns.filter { !$0.display.isDetail }))
                + conclusions(of: result, answer)
        case .dictionary: pairs(Self.flattened(member.object ?? [:], under: ""))
        case .document: Self.harmless(member.text(pretty: true), keeping: "\n")
        case .events: (result["events"]?.array ?? []).map(event).joined()
        case .image: "\(Self.cell(result["width"] ?? .null))x\(Self.cell(result["height"] ?? .null))\n"
        }
    }

    /// An event as one line: its time, sequence number, type, and the members of its payload sorted by name.
    public func event(_ event: JSONValue) -> String {
        let parts = ["time", "sequence", "type"].map { Self.cell(event[$0] ?? .null) }
        let members = (event["payload"]?.object ?? [:]).sorted { $0.key < $1.key }
        var payload = members.map { "\(Self.harmless($0.key))=\(Self.word($0.value))" }
        if members.isEmpty, let other = event["payload"], !other.isNull, other != [:] { payload = [Self.cell(other)] }
        let line = (parts + payload).joined(separator: " ")
        return (eventWidth.map { TerminalText.cut(line, to: $0).text } ?? line) + "\n"
    }

    /// A message as one line: its arrival, sequence number and media type, then its text, or its size if it is no text.
    public func message(_ message: JSONValue) -> String {
        var parts = ["arrival", "sequence", "contentType"].map { Self.cell(message[$0] ?? .null) }
        if let text = message["text"]?.string {
            parts.append(Self.harmless(text))
        } else {
            parts.append("(\(Self.cell(message["octets"] ?? .null)) octets)")
        }
        let line = parts.joined(separator: " ")
        return (eventWidth.map { TerminalText.cut(line, to: $0).text } ?? line) + "\n"
    }

    private func table(_ rows: [JSONValue], _ fields: [FieldDescription]) -> String {
        let cells = rows.map { row in fields.map { Self.cell(row[$0.name] ?? .null, $0.display.style) } }
        var lines = TextTable(titles: fields.map(\.columnTitle), rows: cells).lines(width: Self.width)
        if isStyled { lines[0] = "\u{1b}[1m\(lines[0])\u{1b}[0m" }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The sentences that belong below the table, each after an empty line.
    private func conclusions(of result: JSONValue, _ answer: AnswerDescription) -> String {
        answer.fields.filter { $0.display.style == .conclusion }.compactMap { result[$0.name] }.map { value in
            "\n" + TerminalText.wrapped(Self.cell(value), to: Self.width).map { $0 + "\n" }.joined()
        }.joined()
    }

    private func records(_ rows: [JSONValue], _ fields: [FieldDescription]) -> String {
        rows.map { row in pairs(fields.compactMap { field in row[field.name].map { (field.name, $0) } }) }
            .joined(separator: "\n")
    }

    private func pairs(_ pairs: [(name: String, value: JSONValue)]) -> String {
        let names = pairs.map { Self.harmless($0.name) }
        let width = names.map { TerminalText.columns($0) }.max() ?? 0
        return zip(names, pairs).map { name, pair in
            "\(TerminalText.fitted(name, to: max(1, width)))  \(Self.cell(pair.value))\n"
        }.joined()
    }

    /// Names the members of nested objects `group.name`. They are sorted by name, members without a group first.
    static func flattened(_ members: [String: JSONValue], under prefix: String) -> [(name: String, value: JSONValue)] {
        let sorted = members.sorted { $0.key < $1.key }
        let plain = sorted.filter { $0.value.object == nil }.map { (prefix + $0.key, $0.value) }
        return plain + sorted.flatMap { flattened($0.value.object ?? [:], under: "\(prefix)\($0.key).") }
    }

    private static func cell(_ value: JSONValue, _ style: FieldDisplay.Style) -> String {
        switch (style, value) {
        case (.clock, .string(let time)):
            time.utf8.count >= 16 ? harmless(String(time.dropFirst(11).prefix(5))) : harmless(time)
        case (.minutes, .integer(let milliseconds)): "\((milliseconds + 30_000) / 60_000)"
        default: cell(value)
        }
    }

    private static func cell(_ value: JSONValue) -> String {
        switch value {
        case .null: "-"
        case .bool(let value): value ? "yes" : "no"
        case .string(let text): harmless(text)
        default: harmless(value.text())
        }
    }

    /// A cell that is put in quotes if it would not be one word otherwise.
    private static func word(_ value: JSONValue) -> String {
        guard let text = value.string, text.isEmpty || text.contains(where: { $0 == " " || $0 == "\"" || $0 == "=" })
        else { return cell(value) }
        return harmless(value.text())
    }

    static func harmless(_ text: String, keeping kept: Unicode.Scalar? = nil) -> String {
        TerminalText.harmless(text, keeping: kept)
    }
}
