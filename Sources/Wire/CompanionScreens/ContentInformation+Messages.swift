// SPDX-License-Identifier: Apache-2.0

extension ContentInformation {
    /// The first message to a client: the version, and every property that has a value.
    public var firstMessage: CIIMessage {
        var message = delta(since: ContentInformation()) ?? CIIMessage()
        message.protocolVersion = .value(.onePointOne)
        return message
    }

    /// The message to a client that knows `before`: what differs, and no more. An identifier of the content is never sent
    /// without its status.
    /// - Returns: nil if nothing differs.
    public func delta(since before: ContentInformation) -> CIIMessage? {
        var changes = self.changes(since: before)
        guard !changes.isEmpty else { return nil }
        if changes.contains(.contentId) { changes.insert(.contentIdStatus) }
        func property<Value: Hashable & Sendable>(
            _ name: CIIMessage.Name, _ value: Value?
        ) -> CIIMessage.Property<Value> {
            changes.contains(name) ? value.map { .value($0) } ?? .null : .absent
        }
        var message = CIIMessage()
        message.protocolVersion = property(.protocolVersion, protocolVersion)
        message.contentID = property(.contentId, contentID)
        message.contentIDStatus = property(.contentIdStatus, contentIDStatus)
        message.presentationStatus = property(.presentationStatus, presentationStatus)
        message.mrsURL = property(.mrsUrl, mrsURL)
        message.wcURL = property(.wcUrl, wcURL)
        message.tsURL = property(.tsUrl, tsURL)
        message.teURL = property(.teUrl, teURL)
        message.timelines = property(.timelines, timelines)
        message.privateData = property(.privateData, privateData)
        return message
    }
}
