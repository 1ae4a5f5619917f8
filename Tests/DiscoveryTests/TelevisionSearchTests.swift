// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import TestSupport
import Testing
import Time
import Venue

@testable import Discovery

@Suite struct TelevisionSearchTests {
    private static let start = Monotonic(nanoseconds: 5_000_000_000)
    private static let address = NumericAddress(v4: 0xc000_0207)  // 192.0.2.7
    private static let name = "uuid:1::\(DiscoverySearch.dial)"
    private static let applications = "http://192.0.2.7:8008/apps"

    private var search = TelevisionSearch(at: start)
    private var random = SplitMix64(seed: 1)

    private static func announcement(
        _ name: String = name, at location: String = "http://192.0.2.7:8008/dd.xml", age: Int = 100
    ) throws -> DiscoveryAnnouncement {
        let url = try #require(HTTPURL(location))
        return try #require(DiscoveryAnnouncement(uniqueName: name, location: url, maximumAge: age))
    }

    private mutating func receive(
        _ message: DiscoveryMessage, from sender: NumericAddress = address, isOnLink: Bool = true,
        after span: Nanoseconds
    ) -> [TelevisionSearch.Action] {
        message.octets.withUnsafeBytes {
            search.datagramReceived($0, from: sender, isOnLink: isOnLink, at: Self.start + span)
        }
    }

    /// Both documents are fetched.
    private mutating func describe(
        _ services: CompanionApplication = DIALResponderTests.services, after span: Nanoseconds
    ) throws -> [TelevisionSearch.Action] {
        let now = Self.start + span
        let location = try #require(HTTPURL("http://192.0.2.7:8008/dd.xml"))
        let application = try #require(HTTPURL(Self.applications + "/HbbTV"))
        #expect(
            search.documentCame(
                DIALResponderTests.description.octets, from: location, of: Self.name, applications: Self.applications,
                at: now) == [.fetch(application, of: Self.name)])
        return search.documentCame(services.octets, from: application, of: Self.name, at: now)
    }

    private mutating func find() throws -> Television {
        let said = try Self.announcement()
        #expect(receive(.answer(said), after: .zero) == [.fetch(said.location, of: Self.name)])
        guard case .found(let television) = try describe(after: .zero).first else {
            Issue.record("not found")
            return Television(
                uniqueName: "", name: "", address: Self.address, services: DIALResponderTests.services)
        }
        return television
    }

    @Test mutating func aTelevisionIsFoundAndExpires() throws {
        let television = try find()
        #expect(television.uniqueName == Self.name && television.services == DIALResponderTests.services)
        #expect(search.televisions == [television])
        // It says again that it is there.
        #expect(receive(.alive(try Self.announcement()), after: .seconds(50)).isEmpty)
        #expect(search.tick(at: Self.start + .seconds(149), &random).allSatisfy { $0 != .lost(television) })
        #expect(search.tick(at: Self.start + .seconds(150), &random).contains(.lost(television)))
        #expect(search.televisions.isEmpty)
    }

    @Test mutating func aTelevisionGoesAndChanges() throws {
        let television = try find()
        let farewell = DiscoveryMessage.byebye(target: DiscoverySearch.dial, uniqueName: Self.name)
        // Nobody says farewell for another.
        #expect(receive(farewell, from: NumericAddress(v4: 1), after: .seconds(1)).isEmpty)
        #expect(receive(farewell, after: .seconds(1)) == [.lost(television)])
        _ = try find()
        // Its description is fetched again after a while, and says something else.
        let said = try Self.announcement()
        #expect(receive(.alive(said), after: .seconds(61)) == [.fetch(said.location, of: Self.name)])
        let other = CompanionApplication(contentInformation: WebSocketURL("ws://192.0.2.7/other"))
        guard case .found(let changed) = try describe(other, after: .seconds(61)).first else {
            Issue.record("no change")
            return
        }
        #expect(changed.services == other && search.televisions == [changed])
        // The same once more is no news.
        _ = receive(.alive(said), after: .seconds(122))
        #expect(try describe(other, after: .seconds(122)).isEmpty)
    }

    @Test mutating func devicesAreBelievedAboutThemselvesAlone() throws {
        let said = try Self.announcement()
        #expect(receive(.answer(said), from: NumericAddress(v4: 1), after: .zero).isEmpty)
        #expect(receive(.answer(said), isOnLink: false, after: .zero).isEmpty)
        #expect(receive(.answer(try Self.announcement(at: "http://tv.example/dd.xml")), after: .zero).isEmpty)
        #expect(search.counters.messagesForeign == 3)
        _ = receive(.answer(said), after: .zero)
        // An application elsewhere.
        let actions = search.documentCame(
            DIALResponderTests.description.octets, from: said.location, of: Self.name,
            applications: "http://198.51.100.1/apps", at: Self.start)
        #expect(actions.isEmpty && search.counters.descriptionsFailed == 1)
        // Another device by the same name.
        let thief = try Self.announcement(at: "http://192.0.2.8/dd.xml")
        #expect(receive(.alive(thief), from: NumericAddress(v4: 0xc000_0208), after: .seconds(70)).isEmpty)
        #expect(search.counters.messagesForeign == 4)
    }

    /// What is followed has to be the device itself.
    @Test mutating func aServiceElsewhereIsLeftOut() throws {
        let said = try Self.announcement()
        _ = receive(.answer(said), after: .zero)
        let elsewhere = CompanionApplication(contentInformation: WebSocketURL("ws://198.51.100.1/cii"))
        guard case .found(let television) = try describe(elsewhere, after: .zero).first else {
            Issue.record("not found")
            return
        }
        #expect(television.services.contentInformation == nil && search.counters.messagesForeign == 1)
    }

    /// A device that has started again is asked at once; so is everything on a link that came.
    @Test mutating func newStartsAndNewLinks() throws {
        _ = try find()
        let url = try #require(HTTPURL("http://192.0.2.7:8008/dd.xml"))
        let restarted = try #require(DiscoveryAnnouncement(uniqueName: Self.name, location: url, bootID: 7))
        #expect(receive(.alive(restarted), after: .seconds(1)) == [.fetch(url, of: Self.name)])
        _ = try describe(after: .seconds(1))
        #expect(receive(.alive(restarted), after: .seconds(2)).isEmpty)
        while search.nextTick < Self.start + .seconds(10) { _ = search.tick(at: search.nextTick, &random) }
        search.linkCame(at: Self.start + .seconds(20))
        #expect(search.nextTick <= Self.start + .seconds(20))
    }

    /// Devices that are no televisions make room for others.
    @Test mutating func devicesWithoutServicesMakeRoom() throws {
        for number in 0..<TelevisionSearch.mostDevices {
            let location = "http://198.51.100.\(number)/dd.xml"
            let sender = NumericAddress(v4: 0xc633_6400 + UInt32(number))  // 198.51.100.0/24
            _ = receive(.alive(try Self.announcement("uuid:\(number)", at: location)), from: sender, after: .zero)
        }
        #expect(receive(.alive(try Self.announcement()), after: .zero).isEmpty)
        #expect(search.counters.devicesLeftOut == 1)
        _ = search.tick(at: Self.start + .seconds(11), &random)
        let said = try Self.announcement()
        #expect(receive(.alive(said), after: .seconds(12)) == [.fetch(said.location, of: Self.name)])
        #expect(search.counters.devicesLeftOut == 1)
    }

    /// A host that invents devices leaves room for the television.
    @Test mutating func oneHostDoesNotFillTheTable() throws {
        let host = NumericAddress(v4: 0xc633_6401)  // 198.51.100.1
        for number in 0..<200 {
            let said = try Self.announcement("uuid:\(number)", at: "http://198.51.100.1/dd.xml")
            _ = receive(.alive(said), from: host, after: .zero)
        }
        #expect(search.counters.devicesLeftOut == 200 - Int64(TelevisionSearch.mostOfOneAddress))
        _ = try find()
        #expect(search.televisions.count == 1)
    }

    /// A television of a short age that speaks only when it is asked, in a network that loses each third search.
    @Test mutating func aTelevisionThatOnlyAnswersStays() throws {
        let television = try find()
        let said = try Self.announcement(age: 60)
        var searches = 0
        while search.nextTick < Self.start + .seconds(3_600) {
            let now = search.nextTick
            for action in search.tick(at: now, &random) {
                #expect(action != .lost(television))
                guard case .send = action else { continue }
                searches += 1
                guard searches % 3 != 0 else { continue }
                let fetches = receive(.answer(said), after: now - Self.start + .seconds(1))
                if !fetches.isEmpty { _ = try describe(after: now - Self.start + .seconds(1)) }
            }
        }
        #expect(search.televisions == [television] && searches < 240)
    }

    @Test mutating func whatCannotBeFetchedIsLeftAloneForAWhile() throws {
        let said = try Self.announcement()
        _ = receive(.answer(said), after: .zero)
        _ = search.tick(at: Self.start + .seconds(11), &random)
        #expect(search.counters.descriptionsFailed == 1)
        #expect(receive(.answer(said), after: .seconds(12)).isEmpty)
        #expect(receive(.answer(said), after: .seconds(72)) == [.fetch(said.location, of: Self.name)])
        for document in [nil, [], Array("<a/>".utf8)] as [[UInt8]?] {
            #expect(search.documentCame(document, from: said.location, of: Self.name, at: Self.start).isEmpty)
        }
        // Only the first was waited for.
        #expect(search.counters.descriptionsFailed == 2)
    }

    @Test mutating func searchesAreRepeatedWithJitter() {
        var instants: [Nanoseconds] = []
        while instants.count < 40 {
            let now = search.nextTick
            for action in search.tick(at: now, &random) {
                guard case .send = action else { continue }
                instants.append(now - Self.start)
            }
        }
        #expect(instants[0] == .zero && instants[2] <= .milliseconds(2_500))
        let spans = zip(instants.dropFirst(3), instants.dropFirst(4)).map { $1 - $0 }
        #expect(spans.allSatisfy { $0 >= .milliseconds(7_500) && $0 <= .milliseconds(12_500) })
        #expect(Set(spans).count > 30)
    }

    @Test mutating func devicesAreBoundedAndGarbageIsCounted() throws {
        for number in 0..<100 {
            let location = "http://198.51.100.\(number)/dd.xml"
            let sender = NumericAddress(v4: 0xc633_6400 + UInt32(number))  // 198.51.100.0/24
            _ = receive(.alive(try Self.announcement("uuid:\(number)", at: location)), from: sender, after: .zero)
        }
        #expect(search.counters.devicesLeftOut == 36)
        for length in 0..<200 {
            let octets = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            _ = octets.withUnsafeBytes {
                search.datagramReceived($0, from: Self.address, isOnLink: true, at: Self.start)
            }
        }
        #expect(search.counters.messagesMalformed == 200)
        // All end by themselves.
        _ = search.tick(at: Self.start + .seconds(101), &random)
        #expect(search.nextTick > Self.start + .seconds(101))
    }
}
