// SPDX-License-Identifier: Apache-2.0
import JSON

/// A timeline that a server offers for its content (TS 103 286-2, CSS-CII `timelines`).
public struct TimelineOption: Hashable, Sendable {
    public let selector: TimelineSelector
    public let properties: TimelineProperties
    /// Empty if there are none.
    public let privateData: [PrivateData]

    public init(_ selector: TimelineSelector, _ properties: TimelineProperties, privateData: [PrivateData] = []) {
        self.selector = selector
        self.properties = properties
        self.privateData = privateData
    }

    init(_ fields: MessageFields) throws(CompanionMessageError) {
        let counted = try fields.object("timelineProperties")
        self.init(
            TimelineSelector(try fields.text("timelineSelector", atMost: MessageLimits.selector)),
            TimelineProperties(
                unitsPerTick: try counted.integer("unitsPerTick", in: TimelineProperties.units),
                unitsPerSecond: try counted.integer("unitsPerSecond", in: TimelineProperties.units),
                accuracy: try counted.optional("accuracy", expected: "seconds from 0") { value in
                    value.lenientNumber.flatMap { $0 >= 0 ? $0 : nil }
                }),
            privateData: try fields.privateData().value ?? [])
    }

    var octets: [UInt8] {
        var counted = MessageText()
        counted.add("unitsPerTick", .integer(properties.unitsPerTick))
        counted.add("unitsPerSecond", .integer(properties.unitsPerSecond))
        if let accuracy = properties.accuracy { counted.add("accuracy", .number(accuracy)) }
        var text = MessageText()
        text.add("timelineSelector", .string(selector.text))
        text.add("timelineProperties", octets: counted.octets)
        if !privateData.isEmpty { text.add("private", list: privateData.map(\.octets)) }
        return text.octets
    }
}
