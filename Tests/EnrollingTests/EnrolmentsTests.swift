// SPDX-License-Identifier: Apache-2.0
import Reports
import SignedEnvelopes
import Signing
import TestSupport
import Testing
import Time

@testable import Enrolling

@Suite struct EnrolmentsTests {
    private var world = World()

    @Test mutating func aTokenEnrolsAsManyBoxesAsItSays() throws {
        let token = try world.token(uses: 2)
        let first = try world.issue("a", 1, token: token)
        #expect(world.enrolments.use(first, as: "a") == .enrolled)
        #expect(world.enrolments.boxes["a"]?.name == "Gate" && world.enrolments.boxes["a"]?.tags == ["east"])
        _ = try world.issue("b", 2, token: token)
        #expect(try world.pend("c", 3, token: token) == "its token \"t\" has been used up")
        // Asking again costs no use: the answer may have been lost.
        _ = try world.issue("a", 1, token: token)
        #expect(world.enrolments.tokens["t"]?.usesLeft == 0)
    }

    @Test mutating func aTokenEnds() throws {
        let token = try world.token(seconds: 60)
        world.pass(60)
        #expect(try world.pend("a", 1, token: token) == "its token \"t\" has expired")
        world.pass(8 * 86_400)
        world.enrolments.tick(at: world.now)
        #expect(world.enrolments.tokens.isEmpty && world.enrolments.pending.isEmpty)
    }

    @Test mutating func aWrongTokenIsAGuessAndWaits() throws {
        _ = try world.token()
        guard case .pending(_, isGuess: true) = try world.enrol("a", 1, token: "tl-x") else {
            return #expect(Bool(false))
        }
        guard case .pending(let each, isGuess: false) = try world.enrol("a", 1) else { return #expect(Bool(false)) }
        #expect(each.why == "it has no token" && each.name == "Bar" && world.enrolments.pending.count == 1)
    }

    @Test mutating func somebodyApprovesOrRefuses() throws {
        #expect(try world.pend("a", 1) == "it has no token")
        let id = try #require(world.enrolments.pending.keys.first)
        _ = try world.enrolments.refuse(id, why: "not ours")
        #expect(try world.enrol("a", 1) == .refused(why: "not ours"))
        #expect(try world.enrol("a", 1, token: try world.token()) == .refused(why: "not ours"))
        try world.approve("a", 1)
        #expect(world.enrolments.boxes["a"]?.state == .approved && world.enrolments.pending.isEmpty)
        let text = try world.issue("a", 1)
        #expect(world.enrolments.use(text, as: "a") == .enrolled)
        #expect(world.enrolments.boxes["a"]?.state == .enrolled && world.enrolments.boxes["a"]?.by == "anna")
        let now = world.now
        let isGone = world.refuses { _ = try $0.approve(id, name: nil, tags: nil, by: "anna", at: now) }
        #expect(isGone)
    }

    @Test mutating func aCredentialIsForOneBox() throws {
        let token = try world.token(uses: 2)
        let (a, b) = (try world.issue("a", 1, token: token), try world.issue("b", 2, token: token))
        #expect(world.enrolments.use(a, as: "b") == .other("a"))
        #expect(world.enrolments.use(b, as: "b") == .enrolled)
        #expect(world.enrolments.use(a + "x", as: "a") == .unknown)
        #expect(world.enrolments.use("", as: "a") == .unknown)
    }

    /// The answer with the new credential may be lost, so the one before counts until the new one comes.
    @Test mutating func theOldCredentialCountsUntilTheNewOneIsUsed() throws {
        let token = try world.token()
        let old = try world.issue("a", 1, token: token)
        let chance = world.chance()
        guard
            case .issued(let lost) = world.enrolments.rotate(try World.request("a", 1), chance: chance, at: world.now)
        else { return #expect(Bool(false)) }
        #expect(world.enrolments.use(old, as: "a") == .enrolled)
        let new = try world.issue("a", 1)
        #expect(world.enrolments.use(lost, as: "a") == .unknown)
        #expect(world.enrolments.use(old, as: "a") == .enrolled)
        #expect(world.enrolments.use(new, as: "a") == .enrolled)
        #expect(world.enrolments.use(old, as: "a") == .unknown)
        guard case .refused = world.enrolments.rotate(try World.request("a", 2), chance: chance, at: world.now),
            case .refused = world.enrolments.rotate(try World.request("b", 2), chance: chance, at: world.now)
        else { return #expect(Bool(false)) }
    }

    @Test mutating func aRevokedBoxComesBackByApprovalOnly() throws {
        let token = try world.token(uses: 5)
        let old = try world.issue("a", 1, token: token)
        _ = try world.enrolments.revoke("a", why: "stolen", by: "anna", at: world.now)
        #expect(world.enrolments.use(old, as: "a") == .revoked(why: "stolen"))
        #expect(world.enrolments.revocation(of: "a") == "stolen")
        #expect(try world.pend("a", 1, token: token) == "its credential was revoked: stolen")
        try world.approve("a", 1)
        let new = try world.issue("a", 1)
        #expect(world.enrolments.use(new, as: "a") == .enrolled)
        #expect(world.enrolments.use(old, as: "a") == .unknown)
    }

    @Test mutating func aSecondKeyWaitsAndIsTold() throws {
        let token = try world.token(uses: 5)
        let first = try world.issue("a", 1, token: token)
        #expect(try world.pend("a", 2, token: token) == "the box a has another key")
        #expect(try world.pend("z", 1, token: token) == "its key is that of the box a")
        let told = world.enrolments.takeNewClones()
        #expect(told.map(\.box) == ["a", "a"] && told.map(\.sighting.kind) == [.key, .id])
        #expect(try told[0].sighting.other == World.key(2).verifyingKey.fingerprint && told[1].sighting.other == "z")
        // The same again is not told again.
        _ = try world.pend("a", 2)
        #expect(world.enrolments.takeNewClones().isEmpty && world.enrolments.clones["a"]?.sightings.count == 2)
        #expect(world.enrolments.use(first, as: "a") == .enrolled)
        try world.approve("a", 2)
        #expect(world.enrolments.use(first, as: "a") == .unknown)
        _ = try world.issue("a", 2)
        #expect(world.enrolments.boxes["a"]?.name == "Gate")
        world.enrolments.forgetClones(of: "a")
        #expect(world.enrolments.clones.isEmpty)
    }

    @Test mutating func aReplacedBoxGivesNameAndTags() throws {
        let token = try world.token()
        let old = try world.issue("old", 1, token: token)
        _ = try world.pend("new", 2)
        let now = world.now
        let isEarly = world.refuses { try $0.replace("old", by: "new", person: "anna", at: now) }
        #expect(isEarly)
        try world.approve("new", 2)
        try world.enrolments.replace("old", by: "new", person: "anna", at: world.now)
        let new = try #require(world.enrolments.boxes["new"])
        #expect(new.name == "Gate" && new.tags == ["east"] && new.replaces == ["old"])
        #expect(world.enrolments.use(old, as: "old") == .revoked(why: "it was replaced by new"))
        #expect(world.enrolments.boxes["old"]?.replacedBy == "new")
        // One that never enrolled, and a chain.
        _ = try world.pend("third", 3)
        try world.approve("third", 3)
        try world.enrolments.replace("new", by: "third", person: "anna", at: world.now)
        try world.enrolments.replace("paper", by: "third", person: "anna", at: world.now)
        #expect(world.enrolments.boxes["third"]?.replaces == ["paper", "new", "old"])
        #expect(world.enrolments.revocation(of: "paper") == "it was replaced by third")
        for (one, other) in [("third", "third"), ("new", "third"), ("third", "new")] {
            let isRefused = world.refuses { try $0.replace(one, by: other, person: "anna", at: now) }
            #expect(isRefused, "\(one) \(other)")
        }
    }

    @Test mutating func theListOfThoseThatWaitIsBounded() throws {
        for number in 0..<Enrolments.mostPending { _ = try world.pend("box-\(number)", 1) }
        #expect(try world.enrol("one more", 1) == .full)
        let token = try world.token()
        _ = try world.issue("one more", 2, token: token)
        // Whoever goes on asking keeps the place, and whoever has gone makes room.
        world.pass(3_000)
        _ = try world.pend("box-7", 1)
        world.pass(601)
        _ = try world.pend("yet another", 3)
        #expect(world.enrolments.pending.count == Enrolments.mostPending)
        #expect(world.enrolments.pending.values.contains { $0.box == "box-7" })
        world.pass(8 * 86_400)
        world.enrolments.tick(at: world.now)
        #expect(world.enrolments.pending.isEmpty)
    }

    /// Whatever happens by chance: a credential that counts is that of a box that is enrolled, each digest has one owner,
    /// and what is touched is all that has changed.
    @Test(arguments: Effort.seeds(60)) func whateverHappens(seed: UInt64) throws {
        var world = World()
        var random = SplitMix64(seed: seed)
        var given: [(text: String, box: String)] = []
        for step in 0..<200 {
            let before = world.enrolments
            let box = "box-\(Int.random(in: 0..<4, using: &random))"
            let key = UInt8.random(in: 1...4, using: &random)
            world.pass(Int64.random(in: 0...5_000, using: &random))
            switch Int.random(in: 0..<9, using: &random) {
            case 0, 1: if case .issued(let text) = try world.enrol(box, key) { given.append((text, box)) }
            case 2:
                let token = try world.token("t\(step)", uses: 1)
                if case .issued(let text) = try world.enrol(box, key, token: token) { given.append((text, box)) }
            case 3, 4: try? world.approve(box, key)
            case 5: _ = try? world.enrolments.revoke(box, why: "x", by: "y", at: world.now)
            case 6: try? world.enrolments.replace(box, by: "box-\(key)", person: "y", at: world.now)
            case 7: for each in given.suffix(3) { _ = world.enrolments.use(each.text, as: each.box) }
            default: world.enrolments.tick(at: world.now)
            }
            let touched = world.enrolments.takeTouched()
            for (id, kept) in world.enrolments.boxes where before.boxes[id] != kept {
                #expect(touched.boxes.contains(id), "seed \(seed), step \(step)")
            }
            for id in Set(before.pending.keys).union(world.enrolments.pending.keys)
            where before.pending[id] != world.enrolments.pending[id] {
                #expect(touched.pending.contains(id), "seed \(seed), step \(step)")
            }
            for each in given {
                var copy = world.enrolments
                let standing = copy.use(each.text, as: each.box)
                let state = world.enrolments.boxes[each.box]?.state
                #expect((standing == .enrolled) == (state == .enrolled && standing != .unknown), "seed \(seed)")
                #expect(copy.use(each.text, as: "another") != .enrolled, "seed \(seed)")
            }
        }
        let again = Enrolments(
            boxes: Array(world.enrolments.boxes.values), pending: Array(world.enrolments.pending.values),
            tokens: Array(world.enrolments.tokens.values), clones: world.enrolments.clones)
        for each in given {
            var (one, other) = (again, world.enrolments)
            #expect(one.use(each.text, as: each.box) == other.use(each.text, as: each.box))
        }
    }
}
