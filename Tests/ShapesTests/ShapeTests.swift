// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes
import Testing

private struct Limits: Record {
    var raise = 5
    var clear = 1

    init() {}

    init(raise: Int, clear: Int) {
        self.raise = raise
        self.clear = clear
    }

    static let shape = Shape<Self>([
        .setting("raise", \.raise, .integer(0...100), .atOnce, "When it is raised."),
        .setting("clear", \.clear, .integer(0...100), .atOnce, "When it is cleared."),
    ])
}

private struct Peer: Record {
    var name = ""
    var key = ""
    var port: Int?

    static let shape = Shape<Self>([
        .required("name", \.name, .text(1...8), "Name."),
        .setting("key", \.key, .text(0...8), .atOnce, isSecret: true, "Secret."),
        .member("port", \.port, .absentOr(.integer(1...9)), "Port; absent: none."),
    ])
}

private struct Section: Record {
    enum Mode: String, Sendable, CaseIterable { case slow, fast }
    var mode = Mode.slow
    var limits = Limits(raise: 50, clear: 40)
    var peers: [Peer] = []
    var interface: String?

    static let shape = Shape<Self>([
        .setting("mode", \.mode, .choice, .interruptsPicture, "How fast."),
        .group("limits", \.limits, "When."),
        .setting("peers", \.peers, .list(of: .record, 0...2), .atOnce, "Who."),
        .setting("interface", \.interface, .emptyOr(.text(0...15)), .atOnce, "Where."),
    ])
}

private struct Told: Answer {
    let name: String
    let count: Int?
    let region: String?

    static let shape = Shape<Self>([
        .value("name", \.name, .text, "Name."), .value("count", \.count, .optional(.count), "How many."),
        .unlessNil("region", \.region, .text, "Where."),
    ])
}

/// What is declared once for a type does what the hand-written tables and readers did.
@Suite struct ShapeTests {
    @Test func groupHasTheDefaultsOfTheValueThatHoldsIt() {
        #expect(
            Section.kind.completing([:])
                == ["mode": "slow", "limits": ["raise": 50, "clear": 40], "peers": [], "interface": ""])
        let read = Section(reading: ["limits": ["clear": 7]])
        #expect(read.limits.raise == 50)
        #expect(read.limits.clear == 7)
    }

    @Test func readsBackWhatItWrites() {
        var section = Section()
        section.mode = .fast
        section.interface = "eth0"
        var peer = Peer()
        (peer.name, peer.key, peer.port) = ("a", "k", 3)
        section.peers = [peer]
        let again = Section(reading: section.json)
        #expect(again.json == section.json)
        #expect(again.peers.first?.port == 3)
        #expect(Section.kind.problems(of: section.json).isEmpty)
    }

    @Test func namesEachProblem() {
        let problems = Section.kind.problems(of: [
            "mode": "swift", "limits": ["raise": 101], "peers": [["key": "x", "port": 10]], "speed": 1,
        ])
        #expect(
            problems.map(\.description) == [
                "/mode is \"swift\"; expected one of slow, fast",
                "/limits/raise is 101; expected an integer, 0...100",
                "/peers/0/name: expected a text of 1...8 characters",
                "/peers/0/port is 10; expected an integer, 1...9",
                "/speed is no field; expected one of interface, limits, mode, peers",
            ])
    }

    @Test func masksAndUnmasksSecrets() {
        struct Login: Record {
            var token = ""
            static let shape = Shape<Self>([
                .setting("token", \.token, .text(0...32), .atOnce, isSecret: true, "Secret.")
            ])
        }
        let masked = Login.kind.redacting(["token": "hunter2"])
        #expect(masked == ["token": "********"])
        #expect(Login.kind.unmasking(masked, with: ["token": "hunter2"]) == ["token": "hunter2"])
        #expect(Login.kind.unmasking(["token": "new"], with: ["token": "hunter2"]) == ["token": "new"])
        #expect(Login.kind.problems(of: ["token": .string(String(repeating: "x", count: 40))]).first?.value == nil)
    }

    @Test func answersSayWhatIsNotThere() {
        #expect(Told(name: "a", count: nil, region: nil).json == ["name": "a", "count": .null])
        #expect(Told.kind.problems(of: Told(name: "a", count: nil, region: "r").json).isEmpty)
        #expect(!Told.kind.problems(of: ["name": "a"]).isEmpty)
    }

    @Test func wordsAndValuesShareAField() {
        let kind = ValueKind.wordOr(["default"], .integer(1...9))
        #expect(kind.accepts("default") && kind.accepts(3))
        #expect(!kind.accepts("other") && !kind.accepts(10) && !kind.accepts(.null))
        #expect(kind.problems(of: 10).first?.expectation == "an integer, 1...9, or default")
    }

    @Test func textsAndValuesShareAField() throws {
        let kind = ValueKind.textOr(1...5, .integer(1...9))
        #expect(kind.accepts("other") && kind.accepts(3))
        #expect(!kind.accepts("") && !kind.accepts("longer") && !kind.accepts("a\u{9b}") && !kind.accepts(10))
        #expect(!kind.accepts(true) && !kind.accepts(.null))
        #expect(kind.problems(of: 10).first?.expectation == "an integer, 1...9, or a text of 1...5 characters")
        #expect(try #require(ValueKind(document: kind.document)).document == kind.document)
        let schema = try #require(kind.schema["anyOf"]?.array)
        #expect(schema.map { $0["type"] } == ["integer", "string"])
        #expect(kind.completing("a") == "a" && kind.completing(4) == 4)
    }
}
