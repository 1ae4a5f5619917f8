// SPDX-License-Identifier: Apache-2.0
import JSON

extension CIIMessage {
    /// Reads a message. Properties that are not known are ignored. What televisions were met to send is read as well: a
    /// list for `presentationStatus`, strings for numbers and numbers for strings of digits.
    /// - Throws: `CompanionMessageError` for the first property that is wrong: `.unsupportedVersion` before all others.
    public init(parsing text: [UInt8]) throws(CompanionMessageError) {
        let fields = try MessageFields(parsing: text, mostOctets: Self.mostOctets)
        protocolVersion = try Self.version(fields)
        contentID = try fields.textProperty("contentId", atMost: MessageLimits.uri)
        contentIDStatus = try fields.property("contentIdStatus", expected: "\"partial\" or \"final\"") { value in
            value.string.flatMap { ContentIDStatus(rawValue: $0) }
        }
        presentationStatus = try fields.property(
            "presentationStatus", expected: "okay, transitioning or fault, then at most 15 words,"
        ) { PresentationStatus($0) }
        mrsURL = try fields.textProperty("mrsUrl", atMost: MessageLimits.uri)
        wcURL = try fields.property("wcUrl", expected: "udp://host:port") { value in
            value.string.flatMap { WallClockURL($0) }
        }
        tsURL = try fields.webSocketURL("tsUrl")
        teURL = try fields.webSocketURL("teUrl")
        timelines = try fields.list("timelines", atMost: MessageLimits.timelines) {
            option throws(CompanionMessageError) in
            try TimelineOption(option)
        }
        privateData = try fields.privateData()
    }

    private static func version(_ fields: MessageFields) throws(CompanionMessageError) -> Property<Version> {
        let text = try fields.property("protocolVersion", expected: "\"1.1\"") { value in
            // The same text for 1.1 as for "1.1".
            value.string ?? value.number.map { "\($0)" }
        }
        switch text {
        case .absent: return .absent
        case .null: return .null
        case .value(let text):
            guard let version = Version(rawValue: text) else {
                throw .unsupportedVersion(JSONValue.string(String(text.prefix(32))).text())
            }
            return .value(version)
        }
    }

    /// The text of the message in UTF-8: the properties that are not absent, in the order of `Name`.
    public var octets: [UInt8] {
        var text = MessageText()
        for name in Name.allCases {
            switch name {
            case .protocolVersion: text.add(name, protocolVersion) { .string($0.rawValue) }
            case .contentId: text.add(name, contentID) { .string($0) }
            case .contentIdStatus: text.add(name, contentIDStatus) { .string($0.rawValue) }
            case .presentationStatus: text.add(name, presentationStatus) { .string($0.text) }
            case .mrsUrl: text.add(name, mrsURL) { .string($0) }
            case .wcUrl: text.add(name, wcURL) { .string($0.description) }
            case .tsUrl: text.add(name, tsURL) { .string($0.description) }
            case .teUrl: text.add(name, teURL) { .string($0.description) }
            case .timelines: text.add(name, timelines, elements: \.octets)
            case .privateData: text.add(name, privateData, elements: \.octets)
            }
        }
        return text.octets
    }
}

extension MessageFields {
    fileprivate func webSocketURL(
        _ name: String
    ) throws(CompanionMessageError) -> CIIMessage.Property<WebSocketURL> {
        try property(name, expected: "ws://host") { value in value.string.flatMap { WebSocketURL($0) } }
    }
}

extension MessageText {
    fileprivate mutating func add<Value: Hashable & Sendable>(
        _ name: CIIMessage.Name, _ property: CIIMessage.Property<Value>, json: (Value) -> JSONValue
    ) {
        switch property {
        case .absent: break
        case .null: add(name.rawValue, .null)
        case .value(let value): add(name.rawValue, json(value))
        }
    }

    fileprivate mutating func add<Element: Hashable & Sendable>(
        _ name: CIIMessage.Name, _ property: CIIMessage.Property<[Element]>, elements: (Element) -> [UInt8]
    ) {
        switch property {
        case .absent: break
        case .null: add(name.rawValue, .null)
        case .value(let values): add(name.rawValue, list: values.map(elements))
        }
    }
}
