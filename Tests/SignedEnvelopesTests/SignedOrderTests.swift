// SPDX-License-Identifier: Apache-2.0
import JSON
import TestSupport
import Testing
import Time

@testable import SignedEnvelopes

@Suite struct SignedOrderTests {
    @Test func whatIsWrittenIsRead() throws {
        #expect(try SignedOrder(payload: Order.sample.octets) == Order.sample)
        for target in [OrderTarget.all, .box("a"), .group("b"), .tag("c")] {
            let order = SignedOrder(
                target: target, revision: 1 << 53, expires: Order.sample.expires, change: .replace([:]))
            #expect(try SignedOrder(payload: order.octets) == order)
        }
    }

    @Test func timesMayBeOfAnyZone() throws {
        let order = try SignedOrder(Order.document(["expires": "2026-11-21T13:00:00+01:00"]))
        #expect(order.expires == WallTime(rfc3339: "2026-11-21T12:00:00Z"))
    }

    private static let refused: [(patch: JSONValue, message: String)] = [
        (["order": 2], "/order is 2; expected an integer, 1...1"),
        (["order": .null], "/order: expected an integer, 1...1"),
        (["revision": 0], "/revision is 0; expected an integer, 1...9007199254740992"),
        (
            ["revision": .integer((1 << 53) + 1)],
            "/revision is 9007199254740993; expected an integer, 1...9007199254740992"
        ),
        (["revision": "7"], #"/revision is "7"; expected an integer, 1...9007199254740992"#),
        (["base": 0], "/base is 0; expected an integer, 1...9007199254740992"),
        (["expires": .null], "/expires: expected a time like 2026-11-21T01:02:03Z"),
        (["expires": "soon"], #"/expires is "soon"; expected a time like 2026-11-21T01:02:03Z"#),
        (
            ["expires": "2026-11-21T10:00:00Z"],
            #"/expires is "2026-11-21T10:00:00Z"; expected a time after /notBefore"#
        ),
        (["confirmWithinS": 9], "/confirmWithinS is 9; expected an integer, 10...3600"),
        (["comment": "a\u{7}"], #"/comment is "a\u0007"; expected a text of 0...256 characters"#),
        (["target": ["tag": "a"]], "/target is an object; expected one of all, box, group and tag"),
        (["target": ["group": .null]], "/target is an object; expected one of all, box, group and tag"),
        (["target": ["group": .null, "all": false]], "/target/all is false; expected true"),
        (["target": ["group": ""]], #"/target/group is ""; expected a text of 1...64 characters"#),
        (["settings": .null], "/settings: expected an object"),
        (["settings": ["merge": .null]], "/settings is an object; expected either merge or replace"),
        (["settings": ["replace": [:]]], "/settings is an object; expected either merge or replace"),
        (["settings": ["merge": 7]], "/settings/merge is 7; expected an object"),
    ]

    @Test(arguments: refused.indices) func wrongOnesAreNamed(index: Int) {
        let (patch, message) = Self.refused[index]
        do {
            _ = try SignedOrder(payload: Order.document(patch).octets())
            Issue.record("\(patch) is taken")
        } catch {
            #expect("\(error)" == message)
        }
    }

    @Test func unknownMembersAreRefused() {
        for patch in [["more": 1], ["target": ["more": 1]], ["settings": ["more": 1]]] as [JSONValue] {
            #expect(throws: EnvelopeError.self, "\(patch)") { try SignedOrder(Order.document(patch)) }
        }
    }

    @Test func limits() {
        func order(_ text: String) throws { _ = try SignedOrder(payload: Array(text.utf8)) }
        let text = Order.sample.json.text()
        #expect(throws: EnvelopeError.tooLong(octets: SignedOrder.mostOctets + 1, limit: SignedOrder.mostOctets)) {
            try SignedOrder(payload: [UInt8](repeating: 0x20, count: SignedOrder.mostOctets + 1))
        }
        let twice = text.replacingOccurrence(of: "\"revision\"", by: "\"revision\":41,\"revision\"")
        #expect(throws: EnvelopeError.self) { try order(twice) }
        for (depth, isTaken) in [(30, true), (31, false)] {
            let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            let whole = text.replacingOccurrence(of: "60}", by: "60,\"x\":\(deep)}")
            #expect(((try? order(whole)) != nil) == isTaken, "\(depth)")  // depth is what refuses it
        }
    }

    @Test func everyCutIsRefused() {
        let text = Order.sample.octets
        for count in text.indices {
            #expect(throws: EnvelopeError.self, "\(count) octets") { try SignedOrder(payload: Array(text[..<count])) }
        }
    }

    @Test func damageTrapsNothing() {
        var mutation = Mutation(seed: 22)
        let text = Order.sample.octets
        var refused = 0
        for _ in 0..<Mutation.count() {
            do {
                #expect(SignedOrder.revisions.contains(try SignedOrder(payload: mutation.damage(text)).revision))
            } catch {
                refused += 1
                #expect(!"\(error)".isEmpty)
            }
        }
        #expect(refused > 0)
    }
}

extension String {
    /// The text with the first occurrence replaced.
    fileprivate func replacingOccurrence(of part: String, by other: String) -> String {
        guard let range = firstRange(of: part) else { return self }
        return String(self[..<range.lowerBound]) + other + String(self[range.upperBound...])
    }
}
