// SPDX-License-Identifier: Apache-2.0
import JSON
import SignedEnvelopes
import Signing
import TestSupport
import Testing
import Time

@testable import Provisioning

/// Each check of a group command, in the order of the checks: what it refuses, and that what passes it is taken.
@Suite struct GroupCommandAdmissionTests {
    private static let jump = OrderAdmission.widestJump

    @Test func aGoodCommandIsTakenOnce() throws {
        var maker = try CommandMaker()
        maker.now = Monotonic(nanoseconds: 5)
        let command = try CommandMaker.command(3)
        let octets = maker.octets(command)
        let admitted = try maker.admission.admit(octets, from: "10.0.0.1", at: maker.clock, maker.now)
        #expect(admitted?.command == command && admitted?.key == "bar-1" && admitted?.source == "10.0.0.1")
        #expect(admitted?.request.caller.origin == .groupCommand && admitted?.due == maker.now)
        #expect(admitted?.request.arguments == ["channel": "Arena"])
        #expect(maker.admission.memory.rows.map(\.highest) == [3])
        #expect(maker.admission.memory.rows.map(\.fingerprint) == [maker.signing.verifyingKey.fingerprint])
        // Copies, of whatever source; and what says the same in other octets.
        for source in ["10.0.0.1", "fe80::1", "Scores"] {
            #expect(try maker.admission.admit(octets, from: source, at: maker.clock, maker.now) == nil)
        }
        #expect(maker.refusal(of: octets + [0x20]) == .replayed(sequence: 3, highest: 3))
    }

    /// A command that says when waits until then, by the box's clock.
    @Test func aTimeToActIsKept() throws {
        var maker = try CommandMaker()
        let command = try CommandMaker.command(1, ["at": "2026-11-21T12:00:01.500Z"])
        let admitted = try maker.admission.admit(maker.octets(command), from: "a", at: maker.clock, maker.now)
        #expect(admitted?.due == maker.now + .milliseconds(1_500))
        // What comes after that time is done at once.
        maker.clock = OrderClock(now: OrderMaker.time("2026-11-21T12:00:05Z"), isSet: true, built: OrderMaker.built)
        let late = try CommandMaker.command(2, ["at": "2026-11-21T12:00:01.500Z"])
        let second = try maker.admission.admit(maker.octets(late), from: "a", at: maker.clock, maker.now)
        #expect(second?.due == maker.now)
    }

    @Test func sizeAndForm() throws {
        var maker = try CommandMaker()
        #expect(maker.refusal(of: [UInt8](repeating: 0x20, count: 1_201))?.reason == .tooLong)
        for text in ["", "{", "[]", "{}", #"{"payload":7}"#] {
            #expect(maker.refusal(of: Array(text.utf8))?.reason == .malformed, "\(text)")
        }
        for payload in ["", "{", #"{"groupCommand":1}"#] {
            let envelope = maker.envelope(Array(payload.utf8))
            #expect(maker.refusal(of: envelope.json.octets())?.reason == .malformed, "\(payload)")
        }
        // An order is no command, whoever signed it.
        let order = SignedEnvelope(
            payloadType: SignedOrder.payloadType, payload: try CommandMaker.command().octets,
            signatures: [SignedEnvelope.Signature(keyID: "bar-1", octets: [UInt8](repeating: 0, count: 64))])
        #expect(
            maker.refusal(of: order.json.octets())
                == .malformed(.otherType(SignedOrder.payloadType, expected: SignedCommand.payloadType)))
    }

    /// Of two signatures each without the other would be another command, which would count once more.
    @Test func thereIsOneSignature() throws {
        var maker = try CommandMaker()
        let envelope = maker.envelope(try CommandMaker.command().octets)
        let twice = SignedEnvelope(
            payloadType: envelope.payloadType, payload: envelope.payload,
            signatures: envelope.signatures + envelope.signatures)
        #expect(maker.refusal(of: twice.json.octets())?.reason == .malformed)
    }

    @Test(arguments: [OrderTarget.box("box-2"), .group("lobby"), .tag("south"), .group("vip")])
    func commandsForOthersAreNotOurs(target: OrderTarget) throws {
        var maker = try CommandMaker()
        var command = try CommandMaker.command()
        command.target = target
        #expect(maker.refusal(of: command) == .otherTarget(target))
        for ours in [OrderTarget.box("box-1"), .group("bar"), .tag("vip"), .all] {
            command.target = ours
            #expect(maker.refusal(of: command) == nil)
            command.sequence += 1
        }
    }

    @Test func keysAndSignatures() throws {
        var maker = try CommandMaker()
        let other = try SigningKey(seed: [UInt8](repeating: 8, count: 32))
        let command = try CommandMaker.command()
        #expect(maker.refusal(of: maker.octets(command, keyID: "bar-2")) == .unknownKey("bar-2"))
        #expect(maker.refusal(of: maker.octets(command, by: other)) == .wrongSignature(key: "bar-1"))
        #expect(maker.admission.memory == SequenceMemory())
        #expect(maker.refusal(of: command) == nil)
    }

    @Test func aKeyEndsAtItsTime() throws {
        var maker = try CommandMaker(expires: OrderMaker.now)
        #expect(maker.refusal(of: try CommandMaker.command()) == .keyExpired(key: "bar-1", OrderMaker.now))
    }

    private static let addressed: [(scopes: Set<OrderKey.Scope>, target: OrderTarget, isTaken: Bool)] = [
        ([.box], .box("box-1"), true), ([.box], .all, false), ([.group("bar")], .group("bar"), true),
        ([.group("lobby")], .group("bar"), false), ([.tag("vip")], .tag("north"), false), ([], .all, false),
        ([.all], .tag("north"), true),
    ]

    @Test(arguments: addressed.indices) func aKeyAddressesItsTargetsAlone(index: Int) throws {
        let (scopes, target, isTaken) = Self.addressed[index]
        var maker = try CommandMaker(scopes: scopes)
        var command = try CommandMaker.command()
        command.target = target
        #expect(maker.refusal(of: command) == (isTaken ? nil : .keyWithoutTarget(key: "bar-1", target)))
    }

    @Test func aKeyGivesItsCommandsAlone() throws {
        for (commands, isTaken) in [
            (["tune"], true), (["tu*"], true), (["*"], true), (["stop", "tune"], true), (["push"], false),
            (["tun"], false), (["tune-up"], false), (["stop*"], false), ([], false),
        ] as [([String], Bool)] {
            var maker = try CommandMaker(commands: commands)
            let refusal = maker.refusal(of: try CommandMaker.command())
            #expect(refusal == (isTaken ? nil : .keyWithoutCommand(key: "bar-1", "tune")), "\(commands)")
        }
    }

    /// What only asks, what takes a document, what an administrator may, and what is no command.
    @Test(arguments: ["status", "check", "shutdown", "push", "nothing"]) func someAreNotForGroups(name: String) throws {
        var maker = try CommandMaker(commands: ["*", "push"])
        let arguments: JSONValue = name == "check" ? ["settings": [:]] : [:]
        let command = try CommandMaker.command(1, ["command": .string(name), "arguments": .null])
            .with(arguments: arguments)
        #expect(maker.refusal(of: command)?.reason == .notForGroups)
    }

    @Test func argumentsAreChecked() throws {
        var maker = try CommandMaker()
        for arguments in [["channel": .null], ["channel": 7], ["more": 1], ["channel": ""]] as [JSONValue] {
            let command = try CommandMaker.command(1, ["arguments": arguments])
            #expect(maker.refusal(of: command)?.reason == .notForGroups, "\(arguments)")
        }
        let stream = try CommandMaker.command(
            1, ["command": "watch", "arguments": ["channel": .null, "follow": true]])
        #expect(maker.refusal(of: stream)?.reason == .notForGroups)
        #expect(maker.admission.memory == SequenceMemory())
    }

    @Test func withoutAClockNoneIsTaken() throws {
        var maker = try CommandMaker()
        maker.clock = OrderClock(now: OrderMaker.now, isSet: false, built: OrderMaker.built)
        #expect(maker.refusal(of: try CommandMaker.command()) == .clockNotSet)
        maker.clock = OrderClock(now: OrderMaker.now, isSet: true, built: OrderMaker.built)
        #expect(maker.refusal(of: try CommandMaker.command()) == nil, "a copy may come when the clock is set")
    }

    /// The clocks of sender and box may differ a little.
    @Test func commandsCountInTheirTime() throws {
        var maker = try CommandMaker()
        let command = try CommandMaker.command(
            1, ["sent": "2026-11-21T12:00:10.001Z", "expires": "2026-11-21T12:00:20Z"])
        #expect(maker.refusal(of: command)?.reason == .early)
        maker.clock = OrderClock(now: OrderMaker.time("2026-11-21T12:00:20Z"), isSet: true, built: OrderMaker.built)
        #expect(maker.refusal(of: command) == .expired(command.expires, judged: command.expires))
        maker.clock = OrderClock(
            now: OrderMaker.time("2026-11-21T12:00:00.001Z"), isSet: true, built: OrderMaker.built)
        #expect(maker.refusal(of: command) == nil)
    }

    @Test func aCommandCountsOnce() throws {
        var maker = try CommandMaker()
        #expect(maker.refusal(of: try CommandMaker.command(5)) == nil)
        for sequence in [4, 1] as [Int64] {
            #expect(
                maker.refusal(of: try CommandMaker.command(sequence)) == .replayed(sequence: sequence, highest: 5))
        }
        let other = try CommandMaker.command(5, ["arguments": ["channel": "Other"]])
        #expect(maker.refusal(of: other) == .replayed(sequence: 5, highest: 5))
        #expect(maker.refusal(of: try CommandMaker.command(6)) == nil)
    }

    @Test func aJumpIsRefusedAndForgotten() throws {
        var maker = try CommandMaker()
        #expect(maker.refusal(of: try CommandMaker.command(10)) == nil)
        let far = try CommandMaker.command(10 + Self.jump + 1)
        #expect(maker.refusal(of: far) == .jump(sequence: far.sequence, highest: 10))
        #expect(maker.refusal(of: try CommandMaker.command(1 << 53))?.reason == .jump)
        #expect(maker.admission.memory.rows.map(\.highest) == [10])
        #expect(maker.refusal(of: try CommandMaker.command(10 + Self.jump)) == nil)
    }

    /// Under another id the key is the same one; another key under the same id is another.
    @Test func sequencesAreOfTheKeyAndNotOfItsName() throws {
        var maker = try CommandMaker()
        #expect(maker.refusal(of: try CommandMaker.command(5)) == nil)
        let first = maker.admission.keys[0]
        maker.admission.keys = [OrderKey(id: "new", key: first.key, scopes: [.all], commands: ["*"])]
        let again = maker.octets(try CommandMaker.command(5), keyID: "new")
        #expect(maker.refusal(of: again) == .replayed(sequence: 5, highest: 5))
        let other = try SigningKey(seed: [UInt8](repeating: 8, count: 32))
        maker.admission.keys = [OrderKey(id: "bar-1", key: other.verifyingKey, scopes: [.all], commands: ["*"])]
        #expect(maker.refusal(of: maker.octets(try CommandMaker.command(1), by: other)) == nil)
        #expect(maker.admission.memory.rows.map(\.highest).sorted() == [1, 5])
    }

    @Test func thereIsRoomForSoManyKeys() throws {
        var memory = SequenceMemory()
        for number in 0..<SequenceMemory.mostKeys {
            let isKept = memory.remember(1, of: "\(number)")
            #expect(isKept)
        }
        var maker = try CommandMaker(memory: memory)
        #expect(maker.refusal(of: try CommandMaker.command())?.reason == .memory)
        #expect(maker.refusal(of: try CommandMaker.command())?.reason == .memory, "it is no copy of what was taken")
    }

    /// A stranger's flood costs some checks and no more; the genuine sender is heard all the while.
    @Test func forgedOnesCostLittle() throws {
        var maker = try CommandMaker()
        let other = try SigningKey(seed: [UInt8](repeating: 8, count: 32))
        #expect(maker.refusal(of: maker.octets(try CommandMaker.command(1)), from: "genuine") == nil)
        let forged = maker.octets(try CommandMaker.command(9), by: other)
        var checked = 0
        for number in 0..<1_000 {
            maker.now = Monotonic(nanoseconds: Int64(number) * 1_000_000)
            switch maker.refusal(of: forged, from: number.isMultiple(of: 2) ? "flood" : "source \(number)")?.reason {
            case .wrongSignature: checked += 1
            case .tooMany: break
            case let reason: Issue.record("\(String(describing: reason))")
            }
            guard number.isMultiple(of: 250) else { continue }
            let sequence = Int64(number / 250 + 2)
            #expect(maker.refusal(of: maker.octets(try CommandMaker.command(sequence)), from: "genuine") == nil)
        }
        #expect((64...200).contains(checked), "\(checked) in a second")
        // Replays need no signature to be refused.
        for _ in 0..<1_000 {
            let old = maker.refusal(of: maker.octets(try CommandMaker.command(1), by: other), from: "replay")
            #expect(old?.reason == .replayed)
        }
        maker.now += .seconds(10)
        #expect(maker.refusal(of: maker.octets(try CommandMaker.command(8)), from: "new") == nil)
    }

    /// Each reason has a sentence of its own on one line.
    @Test func sentences() {
        let time = OrderMaker.now
        let all: [CommandRefusal] = [
            .tooLong(.tooLong(octets: 2, limit: 1)), .malformed(.otherType("a")), .otherTarget(.box("b")),
            .unknownKey("a"), .keyExpired(key: "a", time), .keyWithoutTarget(key: "a", .all),
            .keyWithoutCommand(key: "a", "tune"), .notForGroups("no"), .clockNotSet, .early(time, judged: time),
            .expired(time, judged: time), .replayed(sequence: 1, highest: 2), .jump(sequence: 1, highest: 2),
            .tooMany("many"), .wrongSignature(key: "a"), .memory("full"),
        ]
        #expect(all.map(\.reason) == CommandRefusal.Reason.allCases)
        #expect(Set(all.map(\.description)).count == all.count)
        #expect(all.allSatisfy { !$0.description.contains("\n") && !$0.description.isEmpty })
    }

    /// Each cut and each mutation of a genuine datagram is refused, or says and signs the same.
    @Test func damageIsNeverTaken() throws {
        var mutation = Mutation(seed: 34)
        let command = try CommandMaker.command()
        let genuine = try CommandMaker().octets(command)
        for count in genuine.indices {
            var maker = try CommandMaker()
            #expect(maker.refusal(of: Array(genuine[..<count]))?.reason == .malformed)
        }
        for _ in 0..<Mutation.count() {
            var maker = try CommandMaker()
            do throws(CommandRefusal) {
                let octets = mutation.damage(genuine)
                let admitted = try maker.admission.admit(octets, from: "a", at: maker.clock, maker.now)
                #expect(admitted?.command == command)
            } catch {
                #expect(maker.admission.memory == SequenceMemory(), "\(error)")
            }
        }
    }
}

extension SignedCommand {
    fileprivate func with(arguments: JSONValue) -> SignedCommand {
        var command = self
        command.arguments = arguments
        return command
    }
}
