// SPDX-License-Identifier: Apache-2.0
import JSON

/// The first message of a client of CSS-TS, sent as soon as the connection is open (TS 103 286-2 clause 5.7.3):
/// `{"contentIdStem":"dvb://233a","timelineSelector":"urn:dvb:css:timeline:pts"}`
public struct SetupData: Hashable, Sendable {
    /// Octets of the longest text that is read; a WebSocket message above them may be refused unread.
    public static let mostOctets = 16_384

    public let contentIDStem: ContentIDStem
    public let timelineSelector: TimelineSelector
    /// Empty if there are none.
    public let privateData: [PrivateData]

    public init(contentIDStem: ContentIDStem, timelineSelector: TimelineSelector, privateData: [PrivateData] = []) {
        self.contentIDStem = contentIDStem
        self.timelineSelector = timelineSelector
        self.privateData = privateData
    }

    /// - Throws: `CompanionMessageError` for the first property that is missing or wrong.
    public init(parsing text: [UInt8]) throws(CompanionMessageError) {
        let fields = try MessageFields(parsing: text, mostOctets: Self.mostOctets)
        self.init(
            contentIDStem: ContentIDStem(try fields.text("contentIdStem", atMost: MessageLimits.uri)),
            timelineSelector: TimelineSelector(
                try fields.text("timelineSelector", atMost: MessageLimits.selector)),
            privateData: try fields.privateData().value ?? [])
    }

    /// The text of the message in UTF-8.
    public var octets: [UInt8] {
        var text = MessageText()
        text.add("contentIdStem", .string(contentIDStem.text))
        text.add("timelineSelector", .string(timelineSelector.text))
        if !privateData.isEmpty { text.add("private", list: privateData.map(\.octets)) }
        return text.octets
    }
}
