// SPDX-License-Identifier: Apache-2.0

/// What a server presents, and where its services are: what the messages of one CSS-CII connection add up to. A property
/// without a value is nil. Before the first message all are.
public struct ContentInformation: Hashable, Sendable {
    public var protocolVersion: CIIMessage.Version?
    public var contentID: String?
    public var contentIDStatus: CIIMessage.ContentIDStatus?
    public var presentationStatus: PresentationStatus?
    public var mrsURL: String?
    public var wcURL: WallClockURL?
    public var tsURL: WebSocketURL?
    public var teURL: WebSocketURL?
    /// Nil if nothing is known of them, empty if there are none.
    public var timelines: [TimelineOption]?
    public var privateData: [PrivateData]?

    public init() {}

    /// What is known after the first message of a connection. A property that is absent in it has no value.
    /// - Throws: `.invalidProperty` if the message does not tell its version.
    public init(first message: CIIMessage) throws(CompanionMessageError) {
        guard message.protocolVersion.value != nil else {
            throw .invalidProperty(
                path: "/\(CIIMessage.Name.protocolVersion.rawValue)",
                value: message.protocolVersion == .null ? "null" : nil, expected: "\"1.1\" in the first message")
        }
        merge(message)
    }

    /// Takes over a later message: what it has replaces, null included; what is absent in it stays.
    /// - Returns: the properties whose value is another one now. A server may repeat what has not changed.
    @discardableResult
    public mutating func merge(_ message: CIIMessage) -> Set<CIIMessage.Name> {
        let before = self
        func take<Value: Hashable & Sendable>(_ property: CIIMessage.Property<Value>, to value: inout Value?) {
            if property != .absent { value = property.value }
        }
        take(message.protocolVersion, to: &protocolVersion)
        take(message.contentID, to: &contentID)
        take(message.contentIDStatus, to: &contentIDStatus)
        take(message.presentationStatus, to: &presentationStatus)
        take(message.mrsURL, to: &mrsURL)
        take(message.wcURL, to: &wcURL)
        take(message.tsURL, to: &tsURL)
        take(message.teURL, to: &teURL)
        take(message.timelines, to: &timelines)
        take(message.privateData, to: &privateData)
        return changes(since: before)
    }

    /// The properties whose values differ.
    public func changes(since before: ContentInformation) -> Set<CIIMessage.Name> {
        Set(CIIMessage.Name.allCases.filter { !equals(before, in: $0) })
    }

    private func equals(_ other: ContentInformation, in name: CIIMessage.Name) -> Bool {
        switch name {
        case .protocolVersion: protocolVersion == other.protocolVersion
        case .contentId: contentID == other.contentID
        case .contentIdStatus: contentIDStatus == other.contentIDStatus
        case .presentationStatus: presentationStatus == other.presentationStatus
        case .mrsUrl: mrsURL == other.mrsURL
        case .wcUrl: wcURL == other.wcURL
        case .tsUrl: tsURL == other.tsURL
        case .teUrl: teURL == other.teURL
        case .timelines: timelines == other.timelines
        case .privateData: privateData == other.privateData
        }
    }
}
