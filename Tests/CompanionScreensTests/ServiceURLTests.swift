// SPDX-License-Identifier: Apache-2.0
import Testing
import Venue

@testable import CompanionScreens

@Suite struct ServiceURLTests {
    /// CSS-30: host and port, whichever way the host is written.
    @Test(
        arguments: [
            ("udp://127.0.0.1:6677", "127.0.0.1", 6_677), ("udp://[fe80::1]:1", "[fe80::1]", 1),
            ("udp://[2001:DB8:0:0::7]:65535", "[2001:db8::7]", 65_535), ("UDP://TV.Example:6677/", "tv.example", 6_677),
            ("udp://living-room_2:9", "living-room_2", 9), ("udp://1.example:9", "1.example", 9),
        ] as [(String, String, UInt16)])
    func readsWallClockURLs(text: String, host: String, port: UInt16) throws {
        let url = try #require(WallClockURL(text))
        #expect(url.host.description == host && url.port == port)
        #expect(url.description == "udp://\(host):\(port)" && WallClockURL(url.description) == url)
    }

    @Test func addressesAreTold() throws {
        let six = try #require(NumericAddress("fe80::1"))
        #expect(WallClockURL("udp://[fe80::1]:6677") == WallClockURL(six, port: 6_677))
        #expect(WallClockURL("udp://[fe80::1]:6677")?.host == .address(six))
        #expect(WallClockURL("udp://tv:6677")?.host == .name("tv"))
    }

    @Test(arguments: [
        "", "udp", "udp:", "udp://", "udp://:6677", "udp://a", "udp://a:", "udp://a:0", "udp://a:65536",
        "udp://a:06677", "udp://a:-1", "udp://a:6677x", "udp://a:6677/x", "udp://a:6677?x", "udp://a:6677#x",
        "udp://u@a:6677",
        "udp://a b:6677", " udp://a:6677", "udp://a:6677\n", "udp://fe80::1:6677", "udp://[fe80::1:6677",
        "udp://[fe80::1]6677", "udp://[fe80::1%25eth0]:6677", "udp://[127.0.0.1]:6677", "udp://256.0.0.1:6677",
        "udp://1.2.3:6677", "udp://a..b:6677", "udp://é:6677", "udp:/a:6677", "ws://a:6677", "udp://[]:6677", "udp://[",
        "udp://" + String(repeating: "a", count: 64) + ":1", "udp://" + String(repeating: "a.", count: 127) + "a:1",
    ])
    func refusesOtherWallClockURLs(text: String) { #expect(WallClockURL(text) == nil) }

    /// CSS-29.
    @Test(arguments: [
        "ws://127.0.0.1:7681/ts", "wss://tv.example/ts?x=%20", "ws://[::1]", "WS://TV:1?x", "ws://tv:65535/a:b@c/",
    ])
    func keepsWebSocketURLs(text: String) { #expect(WebSocketURL(text)?.description == text) }

    @Test(arguments: [
        "", "ws://", "ws:///ts", "ws:tv", "http://tv/ts", "wsx://tv", "ws://tv#x", "ws://u:p@tv/", "ws://tv:70000/",
        "ws://tv/ ts", "ws://tv/é", "ws://tv:/ts", "ws://::1/ts", "//tv/ts",
        "ws://" + String(repeating: "a/", count: 1_024),
    ])
    func refusesOtherWebSocketURLs(text: String) { #expect(WebSocketURL(text) == nil) }
}
