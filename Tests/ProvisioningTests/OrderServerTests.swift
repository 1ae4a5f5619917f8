// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Provisioning

@Suite struct OrderServerTests {
    @Test func readsURLs() throws {
        let rows: [(text: String, isSecure: Bool, isNear: Bool)] = [
            ("https://venue.example/v1/boxes/{box}/order", true, false), ("HTTP://Venue.example", false, false),
            ("http://127.0.0.1:8090/x", false, true), ("http://localhost/", false, true),
            ("http://[::1]:8090/", false, true), ("http://[fe80::1]/", false, true), ("http://[FE80::1]/", false, true),
            ("http://169.254.1.2/", false, true), ("http://169.253.1.2/", false, false),
            ("http://127.0.0.1.example/", false, false), ("https://fe80.example/", true, false),
            ("https://10.0.0.1?box={box}", true, false), ("http://[2001:db8::1]/", false, false),
        ]
        for row in rows {
            let url = try #require(OrderServerURL(row.text), "\(row.text)")
            #expect(url.isSecure == row.isSecure && url.isNear == row.isNear, "\(row.text)")
        }
    }

    @Test func refusesWhatIsNone() {
        for text in [
            "", "venue.example", "ftp://venue.example/", "file:///etc/passwd", "https://", "https:///x",
            "http://user@host/",
            "http://host/#x", "http://host:0/", "http://host:65536/", "http://host:080/", "http://host:/",
            "http://[::1/",
            "http://[::1]x/", "http://ho st/", "http://host/\u{e4}", "http://host\\@other/", "http://[gg]/",
            "https://host/" + String(repeating: "x", count: 1_024),
        ] {
            #expect(OrderServerURL(text) == nil, "\(text)")
        }
    }

    @Test func namesTheBox() throws {
        let url = try #require(OrderServerURL("https://venue.example/{box}/order?of={box}"))
        #expect(url.url(of: "b-1") == "https://venue.example/b-1/order?of=b-1")
        #expect(
            url.url(of: "a/../b?c#\u{e4} {box}")
                == "https://venue.example/a%2F..%2Fb%3Fc%23%C3%A4%20%7Bbox%7D/order?of=a%2F..%2Fb%3Fc%23%C3%A4%20%7Bbox%7D"
        )
    }

    @Test func nothingTraps() {
        var random = SplitMix64(seed: 4)
        let alphabet = Array("htps:/[]@.#?127{}box\\ \u{e4}fe80x")
        for _ in 0..<20_000 {
            let tail = String(
                (0..<Int.random(in: 0...24, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? "x" })
            if let url = OrderServerURL((Bool.random(using: &random) ? "http://" : "") + tail) {
                #expect(!url.url(of: "b").utf8.contains { $0 <= 0x20 })
            }
        }
    }
}
