// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import TestSupport
import Testing
import Time

@testable import Synchronisation

@Suite struct TSServerTests {
    static let contentID = CompanionScript.contentID
    static let start = CompanionScript.beginning
    static let now = WallClockTime(nanoseconds: 5_000_000_000)

    static func client(_ number: UInt64) -> CompanionClient { CompanionClient(number: number) }

    static func published(
        _ timestamp: ControlTimestamp?, contentID: String? = contentID, delay: Nanoseconds = .zero
    ) -> PublishedTimelines {
        PublishedTimelines(
            contentID: contentID,
            timelines: [.pts: .init(TimelineProperties(.mpeg), timestamp, appliedDelay: delay)])
    }

    static func setup(_ stem: String, _ selector: TimelineSelector = .pts) -> [UInt8] {
        SetupData(contentIDStem: ContentIDStem(stem), timelineSelector: selector).octets
    }

    /// A server whose PTS are 0 at 0, at the usual speed.
    static func server(following stems: [String] = []) -> TSServer {
        var server = TSServer()
        _ = server.publish(published(CompanionScript.timestamp(0, 0)), wallClock: now)
        for (number, stem) in zip(1..., stems) {
            _ = server.opened(client(UInt64(number)), at: start)
            _ = server.received(setup(stem), from: client(UInt64(number)), wallClock: now)
        }
        return server
    }

    /// Content time and speed of what each client is sent.
    private static func sent(_ actions: [CompanionServerAction]) throws -> [UInt64: ControlTimestamp] {
        var sent: [UInt64: ControlTimestamp] = [:]
        for case .send(let client, let octets) in actions {
            #expect(sent[client.number] == nil)
            sent[client.number] = try ControlTimestamp(parsing: octets)
        }
        return sent
    }

    /// CSS-31: stems match by their octets; what does not match is not available, which is told.
    @Test(arguments: [
        ("", true), ("dvb://233a", true), (Self.contentID, true), ("dvb://233A", false),
        (Self.contentID + "x", false), ("x", false),
    ])
    func stemsMatchExactly(stem: String, isAvailable: Bool) throws {
        var server = Self.server()
        #expect(server.opened(Self.client(1), at: Self.start).isEmpty)
        let sent = try Self.sent(server.received(Self.setup(stem), from: Self.client(1), wallClock: Self.now))
        let expected =
            isAvailable ? CompanionScript.timestamp(0, 0) : CompanionScript.timestamp(Self.now.nanoseconds, nil)
        #expect(sent == [1: expected])
    }

    @Test func unknownTimelinesAndContentAreNotAvailable() throws {
        var server = Self.server(following: [""])
        _ = server.opened(Self.client(2), at: Self.start)
        let unavailable = CompanionScript.timestamp(Self.now.nanoseconds, nil)
        let setup = Self.setup("", .other("urn:x"))
        #expect(try Self.sent(server.received(setup, from: Self.client(2), wallClock: Self.now)) == [2: unavailable])
        let unknown = Self.published(CompanionScript.timestamp(0, 0), contentID: nil)
        #expect(try Self.sent(server.publish(unknown, wallClock: Self.now)) == [1: unavailable])
        let none = Self.published(nil)
        #expect(server.publish(none, wallClock: Self.now).isEmpty)
    }

    /// CSS-22, 23: content and timeline change at once, and each client is told once what that means for it.
    @Test func eachClientIsToldOnceWhatIsNew() throws {
        var server = Self.server(following: ["", "dvb://233a", "dvb://1"])
        let other = Self.published(CompanionScript.timestamp(0, 900_000), contentID: "dvb://1.2.3")
        let sent = try Self.sent(server.publish(other, wallClock: Self.now))
        #expect(sent[1]?.movement?.contentTime == 900_000 && sent[3]?.movement?.contentTime == 900_000)
        #expect(sent[2] == CompanionScript.timestamp(Self.now.nanoseconds, nil))
        #expect(server.publish(other, wallClock: Self.now).isEmpty)
    }

    @Test func onlySignificantChangesAreTold() throws {
        var server = Self.server(following: ["", "x"])
        func publish(_ instant: Int64, _ contentTime: Int64, _ speed: Double) throws -> [UInt64] {
            let timestamp = CompanionScript.timestamp(instant, contentTime, speed)
            return try Self.sent(server.publish(Self.published(timestamp), wallClock: Self.now)).keys.sorted()
        }
        #expect(try publish(1_000_000_000, 90_000, 1) == [])
        #expect(try publish(1_000_000_000, 90_005, 1) == [])
        // Those before add up.
        #expect(try publish(2_000_000_000, 180_010, 1) == [1])
        #expect(try publish(2_000_000_000, 180_010, 0) == [1])
        #expect(try publish(3_000_000_000, 180_010, 0) == [])
        #expect(try publish(3_000_000_000, 180_010, 1) == [1])
        #expect(server.counters.clients.messagesSent == 5)
    }

    /// Set-up data come once, at first, and in time.
    @Test func setupsThatAreWrongEndTheConnection() {
        var server = Self.server(following: [""])
        let closed = { (number: UInt64) in [CompanionServerAction.close(Self.client(number), status: 1_008)] }
        #expect(server.received(Self.setup("x"), from: Self.client(1), wallClock: Self.now) == closed(1))
        #expect(server.received(Self.setup("x"), from: Self.client(1), wallClock: Self.now).isEmpty)
        for (number, text) in zip((2 as UInt64)..., ["", "{}", "{\"contentIdStem\":7}", "[]", "\u{0}"]) {
            _ = server.opened(Self.client(number), at: Self.start)
            #expect(server.received(Array(text.utf8), from: Self.client(number), wallClock: Self.now) == closed(number))
        }
        let late = Self.start + .seconds(5)
        _ = server.opened(Self.client(8), at: Self.start)
        _ = server.opened(Self.client(9), at: Self.start + .seconds(1))
        #expect(server.nextTick == late)
        #expect(server.tick(at: late - Nanoseconds(1)).isEmpty)
        #expect(server.tick(at: late) == closed(8) && server.tick(at: late).isEmpty)
        _ = server.received(Self.setup(""), from: Self.client(9), wallClock: Self.now)
        #expect(server.nextTick == nil)
        let counters = server.counters
        #expect(counters.setupsRepeated == 1 && counters.setupsMalformed == 5 && counters.setupsLate == 1)
    }

    @Test func whatIsNoPresentationTimestampIsCounted() {
        var server = Self.server(following: [""])
        for text in ["", "{}", "7"] {
            #expect(server.received(Array(text.utf8), from: Self.client(1), wallClock: Self.now).isEmpty)
        }
        #expect(server.counters.presentationsMalformed == 3)
        #expect(server.received(Self.setup(""), from: Self.client(99), wallClock: Self.now).isEmpty)
    }

    @Test func admitsAndDisables() {
        var server = TSServer(admission: CompanionAdmission(path: "/ts", mostClients: 1))
        #expect(server.admit(path: "/cii") == .notFound && server.admit(path: "/ts") == nil)
        _ = server.opened(Self.client(1), at: Self.start)
        #expect(server.admit(path: "/ts") == .full)
        #expect(server.setEnabled(false) == [.close(Self.client(1), status: 1_001)])
        #expect(server.admit(path: "/ts") == .disabled && server.nextTick == nil)
    }

    /// A thousand clients that take nothing: what is kept of each is bounded, and those that do take get everything.
    @Test func aThousandClientsAreBounded() {
        var server = TSServer(
            admission: CompanionAdmission(path: "/ts", mostClients: 1_000), mostPendingOctets: 1_000)
        let stem = String(repeating: "x", count: 2_048)
        _ = server.publish(Self.published(CompanionScript.timestamp(0, 0), contentID: stem), wallClock: Self.now)
        let privateData = PrivateData(type: "urn:x", members: ["a": .string(String(repeating: "y", count: 10_000))])
        let setup = SetupData(
            contentIDStem: ContentIDStem(stem), timelineSelector: .pts, privateData: [privateData]
        ).octets
        for number in 1...1_100 as ClosedRange<UInt64> {
            guard server.admit(path: "/ts") == nil else { continue }
            _ = server.opened(Self.client(number), at: Self.start)
            _ = server.received(setup, from: Self.client(number), wallClock: Self.now)
        }
        #expect(server.clientCount == 1_000 && server.counters.clients.clientsRefusedFull == 100)
        var told = 0
        for step in 1...50 as ClosedRange<Int64> {
            for number in 1...10 as ClosedRange<UInt64> { server.sent(Self.client(number), octets: 1_000) }
            let timestamp = CompanionScript.timestamp(0, step * 90_000)
            let published = Self.published(timestamp, contentID: stem)
            let actions = server.publish(published, wallClock: Self.now)
            told += actions.count { if case .send(let client, _) = $0 { client.number <= 10 } else { false } }
            let pending = (1...1_000 as ClosedRange<UInt64>).map { server.pendingOctets(of: Self.client($0)) }
            #expect(pending.max() ?? 0 <= 1_000)
        }
        #expect(told == 500 && server.counters.clients.clientsSlow == 990)
    }
}
