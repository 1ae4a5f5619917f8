// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import TestSupport
import Testing
import Time

@testable import Synchronisation

@Suite struct CIIServerTests {
    private static func client(_ number: UInt64) -> CompanionClient { CompanionClient(number: number) }

    private static func text(_ action: CompanionServerAction?) -> String? {
        if case .send(_, let octets) = action { String(decoding: octets, as: UTF8.self) } else { nil }
    }

    /// CSS-33: everything that has a value at first, then what changes, and nothing if nothing does.
    @Test func tellsEverythingAndThenChanges() {
        var server = CIIServer(CompanionScript.information)
        let first = server.opened(Self.client(1))
        #expect(first.count == 1)
        #expect(Self.text(first.first)?.hasPrefix(#"{"protocolVersion":"1.1","contentId":"dvb://"#) == true)
        #expect(Self.text(first.first)?.contains("mrsUrl") == false)
        #expect(server.publish(CompanionScript.information).isEmpty)
        var information = CompanionScript.information
        information.presentationStatus = PresentationStatus(.transitioning)
        #expect(server.publish(information).map(Self.text) == [#"{"presentationStatus":"transitioning"}"#])
        _ = server.opened(Self.client(2))
        information.mrsURL = "http://mrs.example/"
        information.tsURL = nil
        let both = server.publish(information)
        #expect(both.map(Self.text) == Array(repeating: #"{"mrsUrl":"http://mrs.example/","tsUrl":null}"#, count: 2))
        #expect(server.counters.clients.messagesSent == 5)
    }

    /// A server without anything to tell tells its version.
    @Test func theVersionIsAlwaysTold() {
        var server = CIIServer()
        #expect(server.opened(Self.client(1)).map(Self.text) == [#"{"protocolVersion":"1.1"}"#])
        #expect(server.publish(ContentInformation()).isEmpty)
    }

    @Test func admitsByPathStateAndNumber() {
        var server = CIIServer(admission: CompanionAdmission(path: "/cii", isEnabled: false, mostClients: 2))
        #expect(server.admit(path: "/cii") == .disabled && server.admit(path: "/ts") == .notFound)
        #expect(server.setEnabled(true).isEmpty)
        #expect(server.admit(path: "/cii?x=1") == nil && server.admit(path: "/cii/") == .notFound)
        for number in 1...2 as ClosedRange<UInt64> { _ = server.opened(Self.client(number)) }
        #expect(server.admit(path: "/cii") == .full && server.admit(path: "/") == .notFound)
        // It was admitted before the others were open.
        #expect(server.opened(Self.client(3)) == [.close(Self.client(3), status: 1_013)])
        server.closed(Self.client(1))
        #expect(server.admit(path: "/cii") == nil)
        #expect(CompanionAdmission.Refusal.allValues == [403, 404, 503])
        let counters = server.counters.clients
        #expect(counters.clientsRefusedDisabled == 1 && counters.clientsRefusedFull == 2)
        #expect(counters.clientsRefusedPath == 3 && counters.clientsOpened == 2)
    }

    @Test func disablingClosesAll() {
        var server = CIIServer(CompanionScript.information)
        for number in 1...3 as ClosedRange<UInt64> { _ = server.opened(Self.client(number)) }
        let actions = server.setEnabled(false)
        #expect(actions == (1...3).map { .close(Self.client($0), status: 1_001) })
        #expect(server.setEnabled(false).isEmpty && server.publish(ContentInformation()).isEmpty)
        #expect(server.opened(Self.client(4)) == [.close(Self.client(4), status: 1_001)])
        // Until they are closed they count.
        #expect(server.clientCount == 3)
        for number in 1...4 as ClosedRange<UInt64> { server.closed(Self.client(number)) }
        #expect(server.clientCount == 0)
        _ = server.setEnabled(true)
        #expect(server.opened(Self.client(5)).count == 1)
    }

    @Test func aSlowClientHoldsUpNobody() {
        var server = CIIServer(CompanionScript.information, mostPendingOctets: 2_000)
        for number in 1...2 as ClosedRange<UInt64> { _ = server.opened(Self.client(number)) }
        var information = CompanionScript.information
        var closed: [CompanionServerAction] = []
        for number in 0..<200 {
            server.sent(Self.client(2), octets: 1_000)
            information.mrsURL = "http://mrs.example/\(number)"
            let actions = server.publish(information)
            closed += actions.filter { Self.text($0) == nil }
            #expect(actions.contains { $0 == .send(Self.client(2), CIIServerTests.delta(number)) })
            #expect(server.pendingOctets(of: Self.client(1)) <= 2_000)
        }
        #expect(closed == [.close(Self.client(1), status: 1_008)])
        #expect(server.counters.clients.clientsSlow == 1)
    }

    private static func delta(_ number: Int) -> [UInt8] { Array("{\"mrsUrl\":\"http://mrs.example/\(number)\"}".utf8) }

    /// The first message may be longer than what may wait.
    @Test func oneMessageMayAlwaysWait() {
        var server = CIIServer(CompanionScript.information, mostPendingOctets: 10)
        #expect(Self.text(server.opened(Self.client(1)).first) != nil)
        #expect(server.publish(ContentInformation()) == [.close(Self.client(1), status: 1_008)])
    }

    @Test func whatClientsSayIsIgnored() {
        var server = CIIServer()
        _ = server.opened(Self.client(1))
        server.received([0x7b, 0x7d], from: Self.client(1))
        server.sent(Self.client(7), octets: .max)
        server.sent(Self.client(1), octets: .min)
        server.sent(Self.client(1), octets: .max)
        #expect(server.counters.messagesIgnored == 1 && server.pendingOctets(of: Self.client(1)) == 0)
    }

    @Test func statisticsHaveNamesOfTheirOwn() {
        let groups = [
            CIIServerCounters.statistics.map(\.about.name), TSServerCounters.statistics.map(\.about.name),
            CompanionSessionCounters.statistics.map(\.about.name),
        ]
        #expect(groups.allSatisfy { Set($0).count == $0.count })
        #expect(groups.map(\.count) == [7, 11, 11])
    }
}

extension CompanionAdmission.Refusal {
    fileprivate static let allValues = [disabled, notFound, full].map(\.rawValue)
}
