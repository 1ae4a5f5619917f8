// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Network
import System
import TestSupport
import Testing
import Time
import Venue

@testable import Discovery

/// A box that is announced and one that searches, over real sockets of the loopback interface.
@Suite(.serialized) struct TelevisionFinderTests {
    private static let loopback = NumericAddress(v4: 0x7f00_0001)

    /// Others may be found there as well: only what has this name counts.
    private final class Scene {
        let loop: EventLoop
        let description: DeviceDescription
        let services: CompanionApplication
        private(set) var events: [TelevisionFinder.Event] = []

        init() throws {
            loop = try EventLoop()
            let id = try BoxIdentity.random()
            description = DeviceDescription(
                friendlyName: "Bar <left>", manufacturer: "Touchline", modelName: "Box", uniqueDeviceName: "uuid:\(id)")
            services = CompanionApplication(contentInformation: WebSocketURL("ws://127.0.0.1:7681/cii"))
        }

        func announce(bootID: Int = 1) throws -> AnnouncedTelevision {
            let announced = try AnnouncedTelevision(
                at: .init(interface: "lo", address: TelevisionFinderTests.loopback, port: 0), description, services,
                bootID: bootID, loop: loop)
            announced.start()
            return announced
        }

        func search() throws -> TelevisionFinder {
            let name = AnnouncedTelevision.uniqueName(of: description)
            let finder = try TelevisionFinder(on: "lo", loop: loop) { [unowned self] event in
                switch event {
                case .found(let television), .lost(let television):
                    if television.uniqueName == name { events.append(event) }
                }
            }
            finder.start()
            return finder
        }

        func awaits(_ what: String, _ isSo: () throws -> Bool) throws {
            let end = SystemClock.monotonic() + .seconds(20)
            while try !isSo() {
                guard SystemClock.monotonic() < end else { throw Missing(what: "\(what); \(events)") }
                try loop.turn(atMost: .milliseconds(10))
            }
        }

        struct Missing: Error { let what: String }
    }

    private func withScene(_ body: @escaping @Sendable (Scene) throws -> Void) async throws {
        try await onThread { Result { try body(try Scene()) } }.get()
    }

    @Test func aBoxIsFoundAndSaysFarewell() async throws {
        try await withScene { scene in
            let (finder, announced) = (try scene.search(), try scene.announce())
            defer { finder.stop() }
            try scene.awaits("found") { !scene.events.isEmpty }
            let television = Television(
                uniqueName: announced.uniqueName, name: "Bar <left>", address: Self.loopback, services: scene.services)
            #expect(scene.events == [.found(television)] && finder.televisions.contains(television))
            // Other tests may search at the same time.
            #expect(announced.counters.documents >= 2 && announced.counters.sendFailures == 0)
            announced.stop()
            try scene.awaits("lost") { scene.events.count > 1 }
            #expect(scene.events.last == .lost(television))
            #expect(finder.counters.search.searches > 0 && finder.counters.sendFailures == 0)
        }
    }

    /// Who comes later finds what is there, because he is answered.
    @Test func whoComesLaterIsAnswered() async throws {
        try await withScene { scene in
            let announced = try scene.announce()
            defer { announced.stop() }
            // Its announcements are over before anybody hears.
            let end = SystemClock.monotonic() + .seconds(2)
            while SystemClock.monotonic() < end { try scene.loop.turn(atMost: .milliseconds(50)) }
            let finder = try scene.search()
            defer { finder.stop() }
            try scene.awaits("found") { !scene.events.isEmpty }
            #expect(announced.counters.announcer.searches > 0 && announced.counters.announcer.answers > 0)
        }
    }

    /// A flood of rubbish and of searches is counted, and survived by both.
    @Test func rubbishIsSurvived() async throws {
        try await withScene { scene in
            let (finder, announced) = (try scene.search(), try scene.announce())
            defer {
                finder.stop()
                announced.stop()
            }
            try scene.awaits("found") { !scene.events.isEmpty }
            let sender = try StampedSocket(boundTo: DatagramPeer(Self.loopback, port: 0))
            let group = DatagramPeer(DiscoveryMessage.address, port: DiscoveryMessage.port)
            var random = SplitMix64(seed: 7)
            let search = DiscoveryMessage.search(
                try #require(DiscoverySearch(target: announced.uniqueName, maximumWait: 1)))
            for number in 0..<400 {
                let rubbish = (0..<(number * 13)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
                _ = try sender.send(number.isMultiple(of: 2) ? rubbish : search.octets, to: group, isStamped: false)
                if number.isMultiple(of: 32) { try scene.loop.turn(atMost: .milliseconds(1)) }
            }
            try scene.awaits("counted") {
                announced.counters.announcer.messagesMalformed > 50 && finder.counters.search.messagesMalformed > 50
                    && announced.counters.announcer.searchesOverRate > 50
            }
            #expect(announced.counters.announcer.answers < 20)
            #expect(announced.counters.rests > 0)
        }
    }

    /// An interface that is not there is waited for, and says so.
    @Test func anotherInterface() async throws {
        try await withScene { scene in
            let finder = try TelevisionFinder(on: "none0", loop: scene.loop) { _ in Issue.record("found") }
            finder.start()
            for _ in 0..<10 { try scene.loop.turn(atMost: .milliseconds(10)) }
            #expect(finder.televisions.isEmpty)
            finder.stop()
            let elsewhere = NumericAddress(v4: 0xc000_0201)
            #expect(throws: SystemCallError.self) {
                _ = try AnnouncedTelevision(
                    at: .init(interface: "lo", address: elsewhere, port: 0), scene.description, scene.services,
                    bootID: 1, loop: scene.loop)
            }
        }
    }
}
