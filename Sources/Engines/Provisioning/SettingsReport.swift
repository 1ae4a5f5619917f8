// SPDX-License-Identifier: Apache-2.0
import Shapes

/// What a box tells its server of its orders and settings. `config/PULL.md` describes the document.
public struct SettingsReport: Record, Equatable {
    /// What became of the order that the box had of this server last.
    public struct Judgement: Record, Equatable {
        /// The entity tag with which the server sent it.
        public var tag = ""
        /// nil if it was taken.
        public var reason: String?
        public var why: String?

        public init() {}

        public static let shape = Shape<Self>([
            .required("tag", \.tag, .text(1...256), "Entity tag of the server's answer."),
            .member("reason", \.reason, .absentOr(.text(1...64)), "Why it was refused; absent: it was taken."),
            .member("why", \.why, .absentOr(.text(0...2_048)), "The same as a sentence."),
        ])
    }

    public var box = ""
    public var name = ""
    public var group: String?
    public var tags: [String] = []
    public var version = ""
    /// Highest revision of a genuine order; 0 if there was none.
    public var highest: Int64 = 0
    /// Revision of the order that is in force; nil if none is known.
    public var order: Int64?
    /// Revision of the settings.
    public var settings: Int64 = 0
    /// Whether these settings have proved themselves.
    public var isConfirmed = true
    /// Whether the settings were changed after the order that is in force.
    public var isChanged = false
    public var judged: Judgement?

    public init() {}

    private static let revisions: ClosedRange<Int64> = 0...(1 << 53)

    public static let shape = Shape<Self>([
        .required("box", \.box, .text(1...64), "Id of the box."),
        .member("name", \.name, .text(0...64), "What people call it."),
        .member("group", \.group, .absentOr(.text(1...64)), "Its group; absent: none."),
        .member("tags", \.tags, .list(of: .text(1...64), 0...64), "Its tags."),
        .member("version", \.version, .text(0...64), "Of its program."),
        .member("highest", \.highest, .integer(revisions), "Highest revision of a genuine order; 0: there was none."),
        .member(
            "order", \.order, .absentOr(.integer(revisions)), "Revision of the order in force; absent: none known."),
        .member("settings", \.settings, .integer(revisions), "Revision of the settings."),
        .member("isConfirmed", \.isConfirmed, .boolean, "Whether these settings have proved themselves."),
        .member("isChanged", \.isChanged, .boolean, "Whether they were changed after the order in force."),
        .member("judged", \.judged, .absentOr(.record), "The order of this server that was judged last."),
    ])
}
