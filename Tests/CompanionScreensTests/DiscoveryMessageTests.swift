// SPDX-License-Identifier: Apache-2.0
import Bytes
import TestSupport
import Testing
import Venue

@testable import CompanionScreens

/// SSDP as UPnP Device Architecture 1.1 and DIAL 2.1 have it.
@Suite struct DiscoveryMessageTests {
    private static let location = HTTPURL("http://192.0.2.7:8008/ssdp/device-desc.xml")

    private static func read(_ text: String) throws -> DiscoveryMessage {
        try [UInt8](text.utf8).withUnsafeBytes { try DiscoveryMessage($0) }
    }

    private static let search = """
        M-SEARCH * HTTP/1.1\r
        HOST: 239.255.255.250:1900\r
        MAN: "ssdp:discover"\r
        MX: 3\r
        ST: urn:dial-multiscreen-org:service:dial:1\r
        \r\n
        """
    private static let answer = """
        HTTP/1.1 200 OK\r
        LOCATION: http://192.0.2.7:8008/ssdp/device-desc.xml\r
        CACHE-CONTROL: no-cache="Ext", max-age = 1801\r
        EXT:\r
        BOOTID.UPNP.ORG: 1\r
        SERVER: Linux/2.6 UPnP/1.1 quick_ssdp/1.1\r
        WAKEUP: MAC=10:dd:b1:c9:00:e4;Timeout=10\r
        ST: urn:dial-multiscreen-org:service:dial:1\r
        USN: uuid:1::urn:dial-multiscreen-org:service:dial:1\r
        \r\n
        """

    @Test func searchesAreRead() throws {
        func search(_ wait: Int?, _ target: String = DiscoverySearch.dial) throws -> DiscoveryMessage {
            .search(try #require(DiscoverySearch(target: target, maximumWait: wait)))
        }
        #expect(try Self.read(Self.search) == search(3))
        #expect(try Self.read(Self.search.replacing("MX: 3\r\n", with: "")) == search(nil))
        // More than anybody waits, and fields in another case and order, without CR and an end.
        let other = "M-SEARCH * HTTP/1.1\nst:ssdp:all\nmx:99999\nMan:\t\"ssdp:discover\"\n"
        #expect(try Self.read(other) == search(120, "ssdp:all"))
    }

    @Test func answersAndNoticesAreRead() throws {
        let location = try #require(Self.location)
        let said = try #require(
            DiscoveryAnnouncement(
                uniqueName: "uuid:1::urn:dial-multiscreen-org:service:dial:1", location: location, maximumAge: 1_801,
                bootID: 1))
        #expect(try Self.read(Self.answer) == .answer(said))
        let notice = Self.answer.replacing("HTTP/1.1 200 OK", with: "NOTIFY * HTTP/1.1")
            .replacing("ST:", with: "NT:")
        #expect(try Self.read(notice.replacing("EXT:", with: "NTS: ssdp:alive")) == .alive(said))
        let farewell = try Self.read(notice.replacing("EXT:", with: "NTS: ssdp:byebye"))
        #expect(farewell == .byebye(target: DiscoverySearch.dial, uniqueName: said.uniqueName))
        // Without an age it is half an hour.
        guard case .answer(let plain) = try Self.read(Self.answer.replacing("CACHE-CONTROL", with: "CACHE")) else {
            Issue.record("no answer")
            return
        }
        #expect(plain.maximumAge == 1_800)
        // A number that is none does not matter.
        let other = Self.answer.replacing("ORG: 1", with: "ORG: x")
        guard case .answer(let unnumbered) = try Self.read(other) else {
            Issue.record("no answer")
            return
        }
        #expect(unnumbered.bootID == nil && unnumbered.configurationID == nil)
    }

    @Test func whatIsWrittenIsReadAsTheSame() throws {
        let location = try #require(Self.location)
        let said = try #require(
            DiscoveryAnnouncement(
                uniqueName: "uuid:1", location: location, maximumAge: 60, bootID: 0x7fff_ffff,
                configurationID: 0xff_ffff))
        let messages: [DiscoveryMessage] = [
            .search(try #require(DiscoverySearch(maximumWait: 2))), .answer(said), .alive(said),
            .byebye(target: "a", uniqueName: "b"), .search(try #require(DiscoverySearch(maximumWait: nil))),
        ]
        for message in messages {
            let octets = message.octets
            #expect(try octets.withUnsafeBytes { try DiscoveryMessage($0) } == message)
            #expect(octets.suffix(4) == [13, 10, 13, 10])
        }
    }

    @Test(
        arguments: [
            ("", "truncated"), ("\r\n", "truncated"), ("GET / HTTP/1.1\r\n\r\n", "not supported"),
            ("M-SEARCH * HTTP/1.1\r\n\r\n", "truncated"), ("M-SEARCH * HTTP/1.1\r\nfield\r\n", "invalid"),
            ("M-SEARCH * HTTP/1.1\r\n: x\r\n", "invalid"), ("M-SEARCH * HTTP/1.1\r\nA: 1\r\na: 2\r\n", "invalid"),
            ("M-SEARCH * HTTP/1.1\r\nA: \u{1}\r\n", "invalid"),
            ("M-SEARCH * HTTP/1.1\r\nMAN: x\r\n", "invalid"),
            ("M-SEARCH * HTTP/1.1\r\nMAN: \"ssdp:discover\"\r\nST: é\r\n", "invalid"),
            ("M-SEARCH * HTTP/1.1\r\nMAN: \"ssdp:discover\"\r\nMX: -1\r\nST: a\r\n", "invalid"),
            ("NOTIFY * HTTP/1.1\r\nNTS: ssdp:update\r\n", "not supported"),
            ("HTTP/1.1 404 Not Found\r\n\r\n", "not supported"),
            ("HTTP/1.1 200 OK\r\nST: a\r\nUSN: b\r\nLOCATION: https://a/\r\n", "invalid"),
            ("HTTP/1.1 200 OK\r\nST: a\r\nUSN: b\r\nLOCATION: http://a/\r\nCACHE-CONTROL: max-age=x\r\n", "invalid"),
        ] as [(String, String)])
    func refusals(text: String, reason: String) {
        let error = thrown(WireError.self) { try Self.read(text) }
        #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
    }

    @Test func lengthsAreLimited() {
        let long = "M-SEARCH * HTTP/1.1\r\nX: \(String(repeating: "x", count: 5_000))\r\n"
        #expect(thrown(WireError.self) { try Self.read(long) }?.offset == 4_096)
        let many = "M-SEARCH * HTTP/1.1\r\n" + (0..<70).map { "F\($0): x\r\n" }.joined()
        #expect(thrown(WireError.self) { try Self.read(many) }?.reason == .limit("discovery fields", 64))
        #expect(DiscoverySearch(target: "", maximumWait: 1) == nil)
        #expect(DiscoverySearch(target: "a\r\nb", maximumWait: 1) == nil)
        #expect(DiscoverySearch(target: " a", maximumWait: 1) == nil)
    }

    @Test(arguments: Effort.seeds(2_000)) func damagedMessagesNeverTrap(seed: UInt64) {
        var random = SplitMix64(seed: seed &+ Effort.seed)
        var octets = [UInt8]((seed.isMultiple(of: 2) ? Self.search : Self.answer).utf8)
        for _ in 0...random.next() % 8 {
            let place = Int(random.next() % UInt64(octets.count))
            switch random.next() % 3 {
            case 0: octets[place] = UInt8(truncatingIfNeeded: random.next())
            case 1: octets.remove(at: place)
            default: octets.insert(contentsOf: octets[place...].prefix(Int(random.next() % 64)), at: place)
            }
        }
        guard let message = try? octets.withUnsafeBytes({ try DiscoveryMessage($0) }) else { return }
        #expect(thrown(WireError.self) { try message.octets.withUnsafeBytes { try DiscoveryMessage($0) } } == nil)
    }

    @Test func urlsOfDocuments() {
        #expect(HTTPURL("http://192.0.2.7")?.description == "http://192.0.2.7")
        #expect(HTTPURL("HTTP://Box:80/a?b")?.description == "http://box/a?b")
        #expect(HTTPURL("http://[::1]:8080/apps")?.appending("HbbTV")?.description == "http://[::1]:8080/apps/HbbTV")
        #expect(HTTPURL("http://a/apps/")?.appending("HbbTV")?.path == "/apps/HbbTV")
        for text in ["https://a/", "http:///x", "http://a b/", "ftp://a", ""] { #expect(HTTPURL(text) == nil) }
    }
}
