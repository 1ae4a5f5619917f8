// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import TestSupport
import Time
import Venue

@testable import Synchronisation

/// A session, what it has asked for, and a television that says what a test makes it say.
struct CompanionScript {
    static let contentID = "dvb://233a.1004.1044;363a~20130218T0915Z--PT00H45M"
    static let wcURL = WallClockURL(NumericAddress(v4: 0x7f00_0001), port: 6_677)
    static let otherWCURL = WallClockURL(NumericAddress(v4: 0x7f00_0001), port: 6_678)
    static let ciiURL = url("ws://tv.example:7681/cii")
    static let tsURL = url("ws://tv.example:7681/ts")
    static let temi = TimelineSelector.temi(componentTag: 1, timelineID: 1)
    static let beginning = Monotonic(nanoseconds: 1_000_000_000_000)

    static func url(_ text: String) -> WebSocketURL {
        guard let url = WebSocketURL(text) else { preconditionFailure("\(text) is no URL of a WebSocket") }
        return url
    }

    /// What a television tells at first: all that is needed.
    static var information: ContentInformation {
        var information = ContentInformation()
        information.protocolVersion = .onePointOne
        information.contentID = contentID
        information.contentIDStatus = .final
        information.presentationStatus = PresentationStatus(.okay)
        information.wcURL = wcURL
        information.tsURL = tsURL
        information.timelines = [
            TimelineOption(temi, TimelineProperties(unitsPerSecond: 1_000, accuracy: 0.01)),
            TimelineOption(.pts, TimelineProperties(.mpeg)),
        ]
        return information
    }

    static func timestamp(_ instant: Int64, _ contentTime: Int64?, _ speed: Double = 1) -> ControlTimestamp {
        ControlTimestamp(
            wallClockTime: WallClockTime(nanoseconds: instant),
            movement: contentTime.map { ControlTimestamp.Movement(contentTime: $0, speed: speed) })
    }

    static func described(
        _ selectors: [TimelineSelector] = [.pts], _ stems: [String] = ["dvb://233a.1004"]
    ) -> CompanionSettings {
        CompanionSettings(
            .described(by: ciiURL, selectors: selectors, stems: stems.map { ContentIDStem($0) }))
    }

    var session: CompanionSession
    private(set) var now = CompanionScript.beginning
    /// All that was asked for, in its order, without what was reported.
    private(set) var asked: [CompanionAction] = []
    private(set) var events: [CompanionEvent] = []
    private(set) var connections: [CompanionConnection.Service: CompanionConnection] = [:]

    init(_ settings: CompanionSettings = CompanionScript.described(), seed: UInt64 = 1) {
        session = CompanionSession(settings, random: SplitMix64(seed: seed), at: Self.beginning)
    }

    private mutating func perform(_ actions: [CompanionAction]) {
        for action in actions {
            switch action {
            case .report(let event): events.append(event)
            case .connect(let connection, _): connections[connection.service] = connection
            case .close(let connection, _): connections[connection.service] = nil
            case .send, .follow, .stopFollowing: break
            }
            if case .report = action { continue }
            asked.append(action)
        }
    }

    /// What was asked for and reported since the last call.
    mutating func take() -> (asked: [CompanionAction], events: [CompanionEvent]) {
        defer { (asked, events) = ([], []) }
        return (asked, events)
    }

    mutating func start() { perform(session.start(at: now)) }
    mutating func stop() { perform(session.stop(at: now)) }

    mutating func wait(_ span: Nanoseconds) {
        let end = now + span
        while let next = session.nextTick, next <= end {
            now = max(now, next)
            perform(session.tick(at: now))
        }
        now = end
    }

    mutating func open(_ service: CompanionConnection.Service) {
        if let connection = connections[service] { perform(session.opened(connection, at: now)) }
    }

    mutating func receive(_ service: CompanionConnection.Service, _ octets: [UInt8]) {
        if let connection = connections[service] { perform(session.received(octets, on: connection, at: now)) }
    }

    mutating func receive(_ service: CompanionConnection.Service, text: String) { receive(service, Array(text.utf8)) }

    mutating func receive(_ timestamp: ControlTimestamp) { receive(.timeline, timestamp.octets) }

    mutating func close(_ service: CompanionConnection.Service, _ end: CompanionConnection.End = .closed(status: nil)) {
        guard let connection = connections.removeValue(forKey: service) else { return }
        perform(session.closed(connection, end, at: now))
    }

    mutating func wallClock(_ isAvailable: Bool, _ url: WallClockURL = CompanionScript.wcURL) {
        perform(isAvailable ? session.wallClockAvailable(url, at: now) : session.wallClockLost(url, at: now))
    }

    /// Up to the first message of CSS-CII.
    mutating func describe(_ information: ContentInformation = CompanionScript.information) {
        start()
        open(.information)
        receive(.information, information.firstMessage.octets)
    }

    /// What changes in what the television presents.
    mutating func change(_ change: (inout ContentInformation) -> Void) {
        guard let before = session.information else { return }
        var after = before
        change(&after)
        if let delta = after.delta(since: before) { receive(.information, delta.octets) }
    }

    /// Up to the first control timestamp, at 90 000 ticks a second.
    mutating func follow(_ information: ContentInformation = CompanionScript.information) {
        describe(information)
        wallClock(true)
        open(.timeline)
        receive(Self.timestamp(0, 900_000))
        _ = take()
    }
}

extension CompanionAction {
    var isTimelineConnect: Bool {
        if case .connect(let connection, _) = self { connection.service == .timeline } else { false }
    }
}

extension CompanionEvent {
    var isAvailable: Bool { if case .timelineAvailable = self { true } else { false } }
    var isChanged: Bool { if case .timelineChanged = self { true } else { false } }
}
