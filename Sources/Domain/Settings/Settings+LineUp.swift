// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes

extension Settings {
    /// How channels are listed. Channels are referred to by name or id, and need not exist yet.
    public struct LineUp: Equatable, Sendable {
        /// Replaces what the channel says about itself.
        public struct Override: Equatable, Sendable {
            public var channel: String
            /// nil keeps the channel's own number, or lets the line-up assign one.
            public var number: Int?
            public var name: String?
            public var isHidden: Bool
            public var isFavourite: Bool
            public var groups: [String]
            /// Path of a PNG file.
            public var logo: String?
        }

        public enum Order: Equatable, Sendable {
            case number, name
            /// These names or ids come first, then the others by number.
            case list([String])
        }

        /// What a box with this tag lists: these channels, then all channels of these groups.
        public struct View: Equatable, Sendable {
            public var tag: String
            public var channels: [String]
            public var groups: [String]
            /// The number of the first channel, from which the others are counted; nil if all keep their numbers.
            public var firstNumber: Int?
        }

        public var channels: [Override]
        public var order: Order
        public var views: [View]
    }
}

extension Settings {
    static let lineUpFields = [
        FieldDescription(
            "channels", .list(of: .record(overrideFields), 0...2_000), .defaulted([]),
            "Names, numbers and groups that replace those of the channels themselves."),
        FieldDescription(
            "order", .wordOr(["number", "name"], .list(of: .text(1...256), 0...2_000)), .defaulted("number"),
            "Order of the list and of channel-up. A list names the channels that come first; the others follow by number."
        ),
        FieldDescription(
            "views", .list(of: .record(viewFields), 0...64), .defaulted([]),
            "Channels that boxes with a tag show. A box without the tag of any view shows all channels."),
    ]

    private static let overrideFields = [
        FieldDescription("channel", .text(1...256), .required, "Name or id of a channel; playlist:NAME of a playlist."),
        FieldDescription("number", .integer(1...9_999), .optional, "Logical number; absent: the channel's own."),
        FieldDescription("name", .text(1...128), .optional, "Name; absent: the channel's own."),
        FieldDescription(
            "hidden", .boolean, .defaulted(false), "Whether the channel is left out of the list. It can still be tuned."
        ),
        FieldDescription("favourite", .boolean, .defaulted(false), "Whether the channel is one of the favourites."),
        FieldDescription(
            "groups", .list(of: .text(1...64), 0...16), .defaulted([]), "Groups of which the channel is a member."),
        FieldDescription(
            "logo", .formatted(.path), .defaulted(""),
            "PNG file of at most 1,024 by 1,024 pixels and 1 MiB on the box, shown by the banner; \"\" for none."),
    ]

    private static let viewFields = [
        FieldDescription(
            "tag", .text(1...64), .required,
            "Tag of the box. If several views have tags of the box, the first view decides."),
        FieldDescription("channels", .list(of: .text(1...256), 0...2_000), .defaulted([]), "Names or ids."),
        FieldDescription("groups", .list(of: .text(1...64), 0...64), .defaulted([]), "All channels of these groups."),
        FieldDescription(
            "firstNumber", .integer(1...9_999), .optional,
            "Number of the first of channels; the others follow, then those of groups. Absent: numbers stay."
        ),
    ]

    static func checkLineUp(_ lineUp: SettingsReader, into problems: inout [Problem]) {
        func refuse(_ path: String, _ value: JSONValue?, _ expectation: String) {
            problems.append(Problem(path: "/lineUp/\(path)", value: value, expectation: expectation))
        }
        var channels: Set<String> = []
        var numbers: Set<Int> = []
        for (index, override) in lineUp.groups("channels").enumerated() {
            let channel = override.text("channel")
            if !channels.insert(channel).inserted {
                refuse("channels/\(index)/channel", .string(channel), "a channel that no other element is about")
            }
            if let number = override.optionalInteger("number"), !numbers.insert(number).inserted {
                refuse("channels/\(index)/number", .integer(Int64(number)), "a number that no other element gives")
            }
        }
        if lineUp.optionalText("order") == nil {
            checkNoneTwice(lineUp.texts("order"), at: "order", refuse)
        }
        var tags: Set<String> = []
        for (index, view) in lineUp.groups("views").enumerated() {
            let tag = view.text("tag")
            if !tags.insert(tag).inserted {
                refuse("views/\(index)/tag", .string(tag), "a tag that no other view has")
            }
            if view.texts("channels").isEmpty, view.texts("groups").isEmpty {
                refuse("views/\(index)", nil, "channels or groups")
            }
            checkNoneTwice(view.texts("channels"), at: "views/\(index)/channels", refuse)
        }
    }

    private static func checkNoneTwice(
        _ texts: [String], at path: String, _ refuse: (String, JSONValue?, String) -> Void
    ) {
        var seen: Set<String> = []
        for (index, text) in texts.enumerated() where !seen.insert(text).inserted {
            refuse("\(path)/\(index)", .string(text), "a channel that is not there already")
        }
    }
}

extension Settings.LineUp {
    init(_ group: SettingsReader) {
        channels = group.groups("channels").map { Override($0) }
        order =
            switch group.optionalText("order") {
            case nil: .list(group.texts("order"))
            case "name": .name
            default: .number
            }
        views = group.groups("views").map { View($0) }
    }
}

extension Settings.LineUp.Override {
    init(_ group: SettingsReader) {
        channel = group.text("channel")
        number = group.optionalInteger("number")
        name = group.optionalText("name")
        isHidden = group.boolean("hidden")
        isFavourite = group.boolean("favourite")
        groups = group.texts("groups")
        logo = group.optionalText("logo")
    }
}

extension Settings.LineUp.View {
    init(_ group: SettingsReader) {
        tag = group.text("tag")
        channels = group.texts("channels")
        groups = group.texts("groups")
        firstNumber = group.optionalInteger("firstNumber")
    }
}
