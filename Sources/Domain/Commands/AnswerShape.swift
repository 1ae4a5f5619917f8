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
}

public struct AnswerField: Sendable {
    public let name: String
    public let help: String
    /// Left out of tables; `--json` has it.
    public let isDetail: Bool

    public init(_ name: String, isDetail: Bool = false, _ help: String) {
        self.name = name
        self.isDetail = isDetail
        self.help = help
    }
}
