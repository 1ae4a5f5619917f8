// SPDX-License-Identifier: Apache-2.0
import Shapes

extension Settings {
    /// What the box itself does with the messages of data channels.
    public struct Data: Equatable, Sendable {
        public struct Consumer: Hashable, Sendable {
            public enum Kind: String, Sendable, CaseIterable { case ticker, cues }

            /// Name or id of the channel.
            public var channel: String
            public var kind: Kind
        }

        public var consumers: [Consumer]
        /// The names of the commands that messages may execute.
        public var allowedCommands: [String]
    }

    static let dataFields = [
        FieldDescription(
            "consumers", .list(of: .record(consumerFields), 0...64), .defaulted([]),
            "What the box does with the messages of each data channel."),
        FieldDescription(
            "allowedCommands", .list(of: .text(1...32), 0...64), .defaulted([]),
            "Commands that consumers of the kind cues may execute; only those of the roles operator and viewer."
        ).locally(),
    ]

    private static let consumerFields = [
        FieldDescription(
            "channel", .text(1...256), .required, "Name or id of a data channel, which need not be there yet."),
        FieldDescription(
            "kind", .choice(Data.Consumer.Kind.allCases.map(\.rawValue)), .required,
            "ticker: texts run across the screen; cues: commands are executed."),
    ]

    static func checkData(_ data: SettingsReader, into problems: inout [Problem]) {
        var seen: [Data.Consumer] = []
        for (index, group) in data.groups("consumers").enumerated() {
            let consumer = Data.Consumer(group)
            if seen.contains(consumer) {
                problems.append(
                    Problem(
                        path: "/data/consumers/\(index)", expectation: "a channel and kind that no other element has"))
            }
            seen.append(consumer)
        }
    }
}

extension Settings.Data {
    init(_ group: SettingsReader) {
        consumers = group.groups("consumers").map { Consumer($0) }
        allowedCommands = group.texts("allowedCommands")
    }
}

extension Settings.Data.Consumer {
    init(_ group: SettingsReader) {
        channel = group.text("channel")
        kind = group.choice("kind")
    }
}
