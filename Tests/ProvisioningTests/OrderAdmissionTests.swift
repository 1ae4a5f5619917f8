// SPDX-License-Identifier: Apache-2.0
import JSON
import SignedEnvelopes
import Signing
import TestSupport
import Testing
import Time

@testable import Provisioning

/// Each check, in the order of the checks: what it refuses, and that what passes it is taken.
@Suite struct OrderAdmissionTests {
    private static let jump = OrderAdmission.widestJump

    @Test func aGoodOrderIsTaken() throws {
        var maker = try OrderMaker()
        let order = try OrderMaker.order(3)
        let admitted = try maker.admission.admit(maker.envelope(order).json.octets(), at: maker.clock)
        #expect(admitted == OrderAdmission.Admitted(order: order, key: "bar-1"))
        #expect(maker.admission.memory == OrderMemory(highest: 3))
    }

    @Test func sizeAndForm() throws {
        var maker = try OrderMaker()
        #expect(throws: OrderRefusal.self) {
            try maker.admission.admit([UInt8](repeating: 0x20, count: 500_000), at: maker.clock)
        }
        let long = SignedEnvelope(
            payloadType: SignedOrder.payloadType, payload: [UInt8](repeating: 0x20, count: 500_000))
        #expect(maker.refusal(of: long)?.reason == .tooLong)
        let other = SignedEnvelope(
            payloadType: "application/json", payload: try OrderMaker.order().octets,
            signatures: [SignedEnvelope.Signature(keyID: "bar-1", octets: [0])])
        #expect(maker.refusal(of: other) == .malformed(.otherType("application/json")))
        do {
            _ = try maker.admission.admit(["payload": 7], at: maker.clock)
            Issue.record("it is taken")
        } catch {
            #expect(error.reason == .malformed)
        }
        #expect(maker.admission.memory == OrderMemory())
    }

    /// A genuine signature over what is no order.
    @Test func aSignedPayloadThatIsNoOrder() throws {
        var maker = try OrderMaker()
        for payload in ["", "{", "[]", #"{"order":1}"#, #"{"order":2}"#] {
            let unsigned = SignedEnvelope(payloadType: SignedOrder.payloadType, payload: Array(payload.utf8))
            let signature = SignedEnvelope.Signature(
                keyID: "bar-1", octets: maker.signing.signature(of: unsigned.signedOctets))
            let envelope = SignedEnvelope(
                payloadType: unsigned.payloadType, payload: unsigned.payload, signatures: [signature])
            #expect(maker.refusal(of: envelope)?.reason == .malformed, "\(payload)")
        }
    }

    @Test func keysAndSignatures() throws {
        var maker = try OrderMaker()
        let other = try SigningKey(seed: [UInt8](repeating: 8, count: 32))
        let order = try OrderMaker.order()
        #expect(maker.refusal(of: maker.envelope(order, keyID: "bar-2")) == .unknownKey(["bar-2"]))
        #expect(maker.refusal(of: maker.envelope(order, by: other)) == .wrongSignature(key: "bar-1"))
        let genuine = maker.envelope(order)
        let changed = SignedEnvelope(
            payloadType: genuine.payloadType, payload: try OrderMaker.order(2).octets, signatures: genuine.signatures)
        #expect(maker.refusal(of: changed) == .wrongSignature(key: "bar-1"))
        #expect(maker.admission.memory.highest == 0)
        // Of several signatures one that is right suffices, and which key it is does not depend on the order.
        let wrong = maker.envelope(order, by: other).signatures
        let both = SignedEnvelope(
            payloadType: genuine.payloadType, payload: genuine.payload, signatures: wrong + genuine.signatures)
        #expect(maker.refusal(of: both) == nil)
    }

    /// Each octet of the payload and of the signature, changed.
    @Test func everyChangeIsNoticed() throws {
        var maker = try OrderMaker()
        let genuine = maker.envelope(try OrderMaker.order())
        for index in genuine.payload.indices {
            var payload = genuine.payload
            payload[index] ^= 1
            let changed = SignedEnvelope(
                payloadType: genuine.payloadType, payload: payload, signatures: genuine.signatures)
            #expect(maker.refusal(of: changed) == .wrongSignature(key: "bar-1"))
        }
        for index in 0..<64 {
            var octets = genuine.signatures[0].octets
            octets[index] ^= 0x80
            let changed = SignedEnvelope(
                payloadType: genuine.payloadType, payload: genuine.payload,
                signatures: [SignedEnvelope.Signature(keyID: "bar-1", octets: octets)])
            #expect(maker.refusal(of: changed) == .wrongSignature(key: "bar-1"))
        }
        #expect(maker.refusal(of: genuine) == nil)
    }

    @Test func aKeyEndsAtItsTime() throws {
        var maker = try OrderMaker(expires: OrderMaker.now)
        #expect(maker.refusal(of: try OrderMaker.order()) == .keyExpired(key: "bar-1", OrderMaker.now))
        maker.clock = OrderClock(
            now: WallTime(nanoseconds: OrderMaker.now.nanoseconds - 1), isSet: true, built: OrderMaker.built)
        #expect(maker.refusal(of: try OrderMaker.order()) == nil)
    }

    private static let addressed: [(scopes: Set<OrderKey.Scope>, target: OrderTarget, isTaken: Bool)] = [
        ([.box], .box("box-1"), true), ([.box], .all, false), ([.box], .group("bar"), false),
        ([.group("bar")], .group("bar"), true), ([.group("bar")], .group("lobby"), false),
        ([.group("bar")], .tag("bar"), false), ([.tag("vip")], .tag("vip"), true),
        ([.tag("vip")], .tag("north"), false), ([.tag("vip"), .box], .box("box-1"), true),
        ([.all], .all, true), ([.all], .tag("north"), true), ([.all], .box("box-1"), true),
        ([], .all, false),
    ]

    @Test(arguments: addressed.indices) func aKeyAddressesItsTargetsAlone(index: Int) throws {
        let (scopes, target, isTaken) = Self.addressed[index]
        var maker = try OrderMaker(scopes: scopes)
        var order = try OrderMaker.order()
        order.target = target
        #expect(maker.refusal(of: order) == (isTaken ? nil : .keyWithoutTarget(key: "bar-1", order.target)))
    }

    /// A key for commands of groups signs no orders, and no pattern is meant to give that right.
    @Test func aKeyGivesItsCommandsAlone() throws {
        for (commands, isTaken) in [
            (["push"], true), (["tune", "push"], true), (["tune"], false), (["*"], false), (["pus*"], false),
        ] {
            var maker = try OrderMaker(commands: commands)
            let refusal = maker.refusal(of: try OrderMaker.order())
            #expect(refusal == (isTaken ? nil : .keyWithoutCommand(key: "bar-1", "push")), "\(commands)")
            #expect(maker.admission.memory.highest == (isTaken ? 1 : 0))
        }
    }

    @Test(arguments: [
        OrderTarget.box("box-2"), .box("bar"), .group("lobby"), .group("vip"), .tag("bar"), .tag("south"),
    ])
    func ordersForOthersAreNotOurs(target: OrderTarget) throws {
        var maker = try OrderMaker()
        var order = try OrderMaker.order(9)
        order.target = target
        #expect(maker.refusal(of: order) == .otherTarget(target))
        #expect(maker.admission.memory.highest == 0)
        for ours in [OrderTarget.box("box-1"), .group("bar"), .tag("vip"), .tag("north"), .all] {
            order.target = ours
            order.revision += 1
            #expect(maker.refusal(of: order) == nil, "\(ours)")
        }
    }

    @Test func ordersCountInTheirTime() throws {
        var maker = try OrderMaker()
        let order = try OrderMaker.order(
            1, ["notBefore": "2026-11-21T12:00:00.001Z", "expires": "2026-11-21T12:00:00.002Z"])
        #expect(maker.refusal(of: order)?.reason == .early)
        maker.clock = OrderClock(now: order.expires, isSet: true, built: OrderMaker.built)
        #expect(maker.refusal(of: order) == .expired(order.expires, judged: order.expires))
        #expect(maker.admission.memory.highest == 0, "it may be given again in its time")
        maker.clock = OrderClock(
            now: OrderMaker.time("2026-11-21T12:00:00.001Z"), isSet: true, built: OrderMaker.built)
        #expect(maker.refusal(of: order) == nil)
    }

    /// A clock that nobody set may say 1970, or 2100. The later of two times that are past judges.
    @Test(arguments: ["1970-01-01T00:00:10Z", "2100-01-01T00:00:00Z"])
    func withoutAClockTheSavedTimeJudges(now: String) throws {
        let saved = OrderMaker.time("2026-06-01T00:00:00Z")
        var maker = try OrderMaker(memory: OrderMemory(savedTime: saved))
        maker.clock = OrderClock(now: OrderMaker.time(now), isSet: false, built: OrderMaker.built)
        let old = try OrderMaker.order(1, ["expires": "2026-05-31T00:00:00Z"])
        #expect(maker.refusal(of: old) == .expired(old.expires, judged: saved))
        #expect(maker.refusal(of: try OrderMaker.order(1, ["expires": "2026-06-02T00:00:00Z"])) == nil)
        maker.admission.memory = OrderMemory()
        let older = try OrderMaker.order(1, ["expires": "2025-12-31T00:00:00Z"])
        #expect(maker.refusal(of: older) == .expired(older.expires, judged: OrderMaker.built))
    }

    @Test func anOrderCountsOnce() throws {
        var maker = try OrderMaker()
        #expect(maker.refusal(of: try OrderMaker.order(5)) == nil)
        for revision in [5, 4, 1] as [Int64] {
            let refusal = maker.refusal(of: try OrderMaker.order(revision))
            #expect(refusal == .replayed(revision: revision, highest: 5))
        }
        #expect(maker.refusal(of: try OrderMaker.order(6)) == nil)
    }

    @Test func aJumpIsRefusedAndForgotten() throws {
        var maker = try OrderMaker(memory: OrderMemory(highest: 10))
        let far = try OrderMaker.order(10 + Self.jump + 1)
        #expect(maker.refusal(of: far) == .jump(revision: far.revision, highest: 10))
        #expect(maker.refusal(of: try OrderMaker.order(1 << 53))?.reason == .jump)
        #expect(maker.admission.memory.highest == 10)
        #expect(maker.refusal(of: try OrderMaker.order(10 + Self.jump)) == nil)
        maker.admission.memory.highest = SignedOrder.revisions.upperBound
        #expect(maker.refusal(of: try OrderMaker.order(1 << 53))?.reason == .replayed)
    }

    @Test func aBaseThatIsNotInForceAsksForAReplacement() throws {
        var maker = try OrderMaker(memory: OrderMemory(highest: 7, applied: 6))
        let wrong = try OrderMaker.order(8, ["base": 7])
        #expect(maker.refusal(of: wrong) == .otherBase(7, applied: 6))
        #expect("\(OrderRefusal.otherBase(7, applied: nil))".contains("send a replacement"))
        // It was genuine: its revision is had, whatever became of it.
        #expect(maker.admission.memory.highest == 8)
        #expect(maker.refusal(of: wrong) == .replayed(revision: 8, highest: 8))
        #expect(maker.refusal(of: try OrderMaker.order(9, ["base": 6])) == nil)
        maker.admission.memory.applied = nil
        #expect(maker.refusal(of: try OrderMaker.order(10, ["base": 6])) == .otherBase(6, applied: nil))
    }

    /// Each reason has a sentence of its own on one line.
    @Test func sentences() {
        let time = OrderMaker.now
        let all: [OrderRefusal] = [
            .tooLong(.tooLong(octets: 2, limit: 1)), .malformed(.otherType("a")), .unknownKey(["a", "b"]),
            .wrongSignature(key: "a"), .keyExpired(key: "a", time), .keyWithoutTarget(key: "a", .all),
            .keyWithoutCommand(key: "a", "push"), .otherTarget(.box("b")), .early(notBefore: time, judged: time),
            .expired(time, judged: time),
            .replayed(revision: 1, highest: 2), .jump(revision: 1, highest: 2), .otherBase(1, applied: 2),
            .memory("full"), .settings("no"),
        ]
        #expect(all.map(\.reason) == OrderRefusal.Reason.allCases)
        #expect(Set(all.map(\.description)).count == all.count)
        #expect(all.allSatisfy { !$0.description.contains("\n") && !$0.description.isEmpty })
    }

    /// Damaged envelopes of a genuine order: none is taken but those that say and sign the same.
    @Test func damageIsNeverTaken() throws {
        var mutation = Mutation(seed: 33)
        let order = try OrderMaker.order()
        for _ in 0..<Mutation.count() {
            var maker = try OrderMaker()
            let text = mutation.damage(maker.envelope(order).json.octets())
            do throws(OrderRefusal) {
                #expect(try maker.admission.admit(text, at: maker.clock).order == order)
            } catch {
                #expect(maker.admission.memory == OrderMemory(), "\(error)")
            }
        }
    }
}
