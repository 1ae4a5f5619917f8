// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Shapes

extension ManualPage {
    /// touchline-config(5): every setting with its range and default.
    static func settings(of catalogue: Catalogue) -> String {
        var page = Roff("touchline-config", section: 5, summary: "settings of a Touchline box")
        page.section("DESCRIPTION")
        page.opening(
            """
            One JSON document (RFC 8259, UTF-8). It is partial: a field that is absent keeps its default, null goes back to
            it, arrays are taken whole. A name that is not below, a name twice and a value out of range refuse the
            document, and nothing changes.
            """)
        page.paragraph(
            """
            touchline config shows what is in effect; config set, reset, merge and replace change it while the service
            runs, config check tries a document, and config explain tells where a value comes from. Each change is a
            revision in /var/lib/touchline/settings. Below the revisions lies the document of the image,
            /usr/share/touchline/config.json. /etc/touchline/config.json becomes a revision at the start of the service,
            when it is new or has changed. A document that is refused at the start is told as an event, and the last good
            one is in force.
            """)
        page.paragraph("Durations end in Ms and are milliseconds, memory in MB (10^6 octets), bit rates in Kbps.")
        page.section("FIELDS")
        page.opening("A member of an object is written behind a point, the elements of an array as [].")
        let groups = catalogue.settings.filter { !$0.members.isEmpty }
        for field in catalogue.settings where field.members.isEmpty { write(field, under: "", to: &page) }
        for group in groups {
            page.subsection(group.name)
            page.opening(group.help)
            if group.isList { page.paragraph(rule(of: group)) }
            for field in group.members { write(field, under: group.prefix(below: ""), to: &page) }
        }
        page.section("FILES")
        page.item("/etc/touchline/config.json", "The settings.")
        page.section("EXAMPLES")
        page.verbatim([
            #"{ "network": { "interface": "eth0" },"#,
            #"  "channels": [ { "name": "Arena","#, #"                  "address": "239.1.1.1", "port": 20000 } ] }"#,
        ])
        page.section("SEE ALSO")
        page.opening(ManualPage.configuration.relatives)
        return page.text
    }

    private static func write(_ field: FieldDescription, under prefix: String, to page: inout Roff) {
        page.item(prefix + field.name, "\(field.help) \(rule(of: field))")
        for member in field.members { write(member, under: field.prefix(below: prefix), to: &page) }
    }

    /// The range of the field, and its default.
    private static func rule(of field: FieldDescription) -> String {
        let expectation = field.type.expectation
        let range = expectation.prefix(1).uppercased() + expectation.dropFirst()
        func written(_ value: JSONValue) -> String {
            value.text(pretty: true).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        return switch field.presence {
        case .required: "\(range); must be written."
        case .optional: "\(range); may be absent."
        case .defaulted(let value): field.isGroup ? "\(range)." : "\(range); default \(written(value))."
        }
    }
}

extension FieldDescription {
    /// The members of the field's object, or of each element of its array; empty if it holds neither.
    fileprivate var members: [FieldDescription] { Self.members(of: type) }

    fileprivate var isGroup: Bool {
        if case .record = type { true } else { false }
    }

    fileprivate var isList: Bool { !isGroup }

    fileprivate func prefix(below prefix: String) -> String { "\(prefix)\(name)\(isGroup ? "" : "[]")." }

    private static func members(of type: ValueKind) -> [FieldDescription] {
        switch type {
        case .record(let fields): fields
        case .list(let element, _), .wordOr(_, let element), .textOr(_, let element): members(of: element)
        default: []
        }
    }
}
