// SPDX-License-Identifier: Apache-2.0

/// What the result of a command looks like: for whoever builds it, prints it, or reads about it.
public enum AnswerShape: Sendable {
    /// `{}`.
    case nothing
    /// An object with these members.
    case record([AnswerField])
    /// `{member: [{…}]}`; the fields are columns.
    case table(member: String, [AnswerField])
    /// `{member: {name: value}}`.
    case dictionary(member: String, help: String)
    /// `{member: …}`, shown as JSON.
    case document(member: String, help: String)
    /// `{"events": […], "dropped": …, "next": …}`; or the same events one by one.
    case events
    /// `{"png": base64, "width": …, "height": …}`.
    case image

    /// Of entries that have to be cut to fit a line.
    var isList: Bool {
        switch self {
        case .table, .events: true
        case .nothing, .record, .dictionary, .document, .image: false
        }
    }
}

public struct AnswerField: Sendable {
    /// How people read it. The title is that of the column; nil: the name.
    public enum Style: Sendable {
        case plain(title: String? = nil)
        /// Of a local time in RFC 3339: hours and minutes.
        case clock(title: String)
        /// Of milliseconds.
        case minutes(title: String)
    }

    public let name: String
    public let help: String
    /// Left out of tables; `--long` and `--json` have it.
    public let isDetail: Bool
    public let style: Style

    public init(_ name: String, isDetail: Bool = false, shownAs style: Style = .plain(), _ help: String) {
        self.name = name
        self.isDetail = isDetail
        self.style = style
        self.help = help
    }

    public var title: String {
        switch style {
        case .plain(let title): title ?? name
        case .clock(let title), .minutes(let title): title
        }
    }
}
