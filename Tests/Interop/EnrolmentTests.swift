// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import TestSupport
import Testing

extension Interop {
    /// Boxes that a reporter knows by their keys: played by a script of curl and openssl, and ours.
    @Suite(.enabled(if: Peer.curl.isThere && OpenSSLPeer.isThere)) struct EnrolmentTests {
        private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("enrol.sh").path
        private static let report = """
            {"report":1,"box":"BOX","boot":"00000001-0123456789abcdef","sequence":SEQUENCE,"kind":"state","monotonicMs":1,\
            "coversMs":10,"identity":{"name":"Bar"}}
            """

        /// A reporter that knows nobody but its users.
        private final class Scene {
            let venue: TestVenue
            let reporter: ReporterScene
            private(set) var administrator = ""
            private(set) var viewer = ""

            init(_ venue: TestVenue) async throws {
                (self.venue, reporter) = (venue, ReporterScene(venue))
                try await reporter.start(isSimple: false)
                administrator = try await user("init", "anna")
                viewer = try await user("user", "add", "vera", "--role", "viewer")
                // The reporter reads within a second what was decided on its machine.
                let isKnown = try await eventually(within: .seconds(5)) {
                    try await self.ask("GET", "enrolments", token: self.viewer).code == 200
                }
                if !isKnown { throw VenueError("the reporter does not know its users") }
            }

            /// What the program prints.
            func user(_ words: String...) async throws -> String {
                let command = [try Programs.path("touchline-reporter"), "--config", reporter.configuration] + words
                return try await venue.succeed(command).outputText.trimmingCharacters(in: .whitespacesAndNewlines)
            }

            func key(_ name: String) async throws -> String {
                let path = venue.directory.file(name + ".pem")
                if !FileManager.default.fileExists(atPath: path) {
                    try await venue.succeed(["openssl", "genpkey", "-algorithm", "ed25519", "-out", path])
                }
                return path
            }

            func enrol(
                _ box: String, _ key: String, _ token: String = "", path: String = "/v1/enrolments"
            ) async throws -> (code: Int, document: JSONValue) {
                let child = try await venue.succeed([
                    EnrolmentTests.script, reporter.url, box, try await self.key(key), token, path,
                ])
                let lines = child.outputText.split(separator: "\n")
                return (
                    Int(lines.last ?? "") ?? 0,
                    (try? JSONValue.parse(lines.dropLast().joined(separator: "\n"))) ?? .null
                )
            }

            func ask(
                _ method: String, _ path: String, _ body: JSONValue? = nil, token: String? = nil
            ) async throws -> (code: Int, document: JSONValue) {
                var words = ["-X", method]
                if let body { words += ["-H", "Content-Type: application/json", "--data-binary", body.text()] }
                return try await reporter.curl(path, token ?? administrator, words)
            }

            /// - Returns: the status.
            func send(_ box: String, _ sequence: Int, _ credential: String) async throws -> Int {
                let line = EnrolmentTests.report.replacing("BOX", with: box).replacing(
                    "SEQUENCE", with: "\(sequence)")
                return try await reporter.curl(
                    "boxes/\(box)/reports", credential,
                    ["--data-binary", line, "-H", "Content-Type: application/x-ndjson"]
                ).code
            }

            func pending(_ box: String) async throws -> String {
                let all = try await ask("GET", "enrolments").document["enrolments"]?.array ?? []
                return all.first { $0["box"] == .string(box) }?["enrolment"]?.string ?? ""
            }

            func approve(_ box: String) async throws -> Int {
                try await ask("POST", "enrolments/\(try await pending(box))", ["approve": true]).code
            }
        }

        /// The life of a box: token, approval, rotation, another key, revocation, replacement.
        @Test func aBoxIsEnrolledClonedRevokedAndReplaced() async throws {
            try await TestVenue.open(ownNetwork: true) { venue in
                let scene = try await Scene(venue)
                let made = try await scene.ask(
                    "POST", "enrolment-tokens", ["name": "east", "uses": 1, "tags": ["east"], "boxName": "Gate 1"])
                #expect(made.code == 201, "\(made)")
                let token = made.document["token"]?.string ?? ""
                #expect(try await scene.ask("GET", "enrolment-tokens").document.at("/tokens/0/token") == nil)

                let first = try await scene.enrol("b-1", "one", token)
                #expect(first.code == 201, "\(first)")
                let credential = first.document["credential"]?.string ?? ""
                #expect(try await scene.send("b-1", 1, credential) == 200)
                #expect(try await scene.send("b-2", 1, credential) == 403)
                #expect(try await scene.send("b-1", 2, "tl-nothing") == 401)
                // The token is used up; the second box waits.
                let second = try await scene.enrol("b-2", "two", token)
                #expect(
                    second.code == 202 && second.document["why"] == "its token \"east\" has been used up", "\(second)")
                #expect(try await scene.ask("GET", "enrolments", token: scene.viewer).code == 200)
                let isAllowed = try await scene.ask("POST", "enrolments/x", ["approve": true], token: scene.viewer)
                #expect(isAllowed.code == 403)
                #expect(try await scene.approve("b-2") == 200)
                let fetched = try await scene.enrol("b-2", "two")
                #expect(fetched.code == 201, "\(fetched)")

                // The reporter is killed, and knows all of it.
                try await scene.reporter.kill()
                try await scene.reporter.start(isSimple: false)
                #expect(try await scene.send("b-1", 3, credential) == 200)

                let turned = try await scene.enrol("b-1", "one", path: "/v1/boxes/b-1/credential")
                #expect(turned.code == 201, "\(turned)")
                let next = turned.document["credential"]?.string ?? ""
                #expect(try await scene.send("b-1", 4, credential) == 200)
                #expect(try await scene.send("b-1", 5, next) == 200)
                #expect(try await scene.send("b-1", 6, credential) == 401)

                // A clone with a key of its own waits, and is told.
                #expect(try await scene.enrol("b-1", "three", token).code == 202)
                let cloned = try await scene.ask("GET", "boxes/b-1").document
                #expect(
                    cloned.at("/clones/0/kind") == "key" && cloned.at("/enrolment/name") == "Gate 1", "\(cloned.text())"
                )

                let why = "boxes/b-1/credential?why=stolen"
                #expect(try await scene.ask("DELETE", why, token: scene.viewer).code == 403)
                #expect(try await scene.ask("DELETE", why).code == 200)
                #expect(try await scene.send("b-1", 7, next) == 403)
                let back = try await scene.enrol("b-1", "one", token)
                #expect(
                    back.code == 202 && back.document["why"] == "its credential was revoked: stolen", "\(back)")

                // Another box takes its place, with its name, its tags and its history.
                let replaced = try await scene.ask("POST", "replacements", ["old": "b-1", "new": "b-2"])
                #expect(replaced.code == 200 && replaced.document["name"] == "Gate 1", "\(replaced)")
                let heir = try await scene.ask("GET", "boxes/b-2").document
                #expect(heir.at("/latest/sequence") == 5 && heir.at("/enrolment/tags") == ["east"], "\(heir.text())")
                let history = try await scene.reporter.text("v1/boxes/b-2/reports", scene.administrator)
                #expect(history.split(separator: "\n").count == 4, "\(history)")
                let again = try await scene.ask("POST", "replacements", ["old": "b-1", "new": "b-2"])
                #expect(again.code == 409)
                try Peer.curl.log(test: "enrolment", checks: 20)
            }
        }

        /// The reporter is killed at random points while boxes ask: a credential that was given counts.
        @Test func whatWasGivenCountsAfterEachKill() async throws {
            try await TestVenue.open(ownNetwork: true) { venue in
                let scene = try await Scene(venue)
                let token =
                    try await scene.ask("POST", "enrolment-tokens", ["name": "t", "uses": 1_000]).document["token"]?
                    .string ?? ""
                var given: [(box: String, credential: String)] = []
                var random = SplitMix64(seed: Interop.seed)
                for round in 0..<4 {
                    // Each box has a key of its own. A line of JSON with a credential is one that was given.
                    let boxes = try venue.start(
                        [
                            "sh", "-c",
                            """
                            for n in 1 2 3 4 5 6 7 8; do
                              openssl genpkey -algorithm ed25519 -out "$1/k-$2-$n.pem"
                              "$0" "$3" "b-$2-$n" "$1/k-$2-$n.pem" "$4" || true
                            done
                            """, EnrolmentTests.script, venue.directory.path, "\(round)", scene.reporter.url, token,
                        ], name: "boxes")
                    try await Task.sleep(for: .milliseconds(Int.random(in: 60...600, using: &random)))
                    try await scene.reporter.kill()
                    _ = try await boxes.exitCode(within: .seconds(30))
                    for line in boxes.outputText.split(separator: "\n") {
                        guard let document = try? JSONValue.parse(String(line)), let box = document["box"]?.string,
                            let credential = document["credential"]?.string
                        else { continue }
                        given.append((box, credential))
                    }
                    try await scene.reporter.start(isSimple: false)
                    for each in given {
                        #expect(
                            try await scene.send(each.box, round + 1, each.credential) == 200,
                            "\(each.box), seed \(Interop.seed)")
                    }
                }
                #expect(!given.isEmpty)
                print("kills: 4, \(given.count) credentials")
            }
        }

        /// Our own box asks by itself, waits, is approved, is revoked, and comes back; by its credential it also asks for
        /// orders and tells its settings.
        @Test func aBoxEnrolsByItself() async throws {
            try await TestVenue.open(ownNetwork: true) { venue in
                let scene = try await Scene(venue)
                let settings: JSONValue = [
                    "http": ["isEnabled": false], "box": ["name": "Bar"],
                    "reports": ["url": .string("\(scene.reporter.url)/v1/boxes/{box}/reports"), "intervalS": 1],
                    "push": [
                        "pull": [
                            "url": .string("\(scene.reporter.url)/v1/boxes/{box}/order"),
                            "report": .string("\(scene.reporter.url)/v1/boxes/{box}/report"), "waitS": 5,
                        ]
                    ],
                ]
                let state = venue.directory.file("state")
                let box = try await BoxProcess(settings, state: state, in: venue)
                let socket = try ControlSocket(box.socket)
                let id = try socket.ask("status").result["boxId"]?.string ?? ""
                func awaitState(_ word: String) async throws {
                    let isThere = try await eventually(within: .seconds(40)) {
                        try socket.ask("reports").result["enrolment"]?.string == word
                    }
                    let now = try socket.ask("reports").result
                    #expect(isThere, "\(word): \(now.text())")
                }
                func awaitReports() async throws {
                    let before = try socket.ask("reports").result["acknowledged"]?.integer ?? 0
                    let isThere = try await eventually(within: .seconds(40)) {
                        try socket.ask("reports").result["acknowledged"]?.integer ?? 0 > before
                    }
                    let now = try socket.ask("reports").result
                    #expect(isThere, "\(now.text())")
                }
                func awaitOrders(problem: JSONValue?) async throws {
                    var status = JSONValue.null
                    let isThere = try await eventually(within: .seconds(60)) {
                        status = try socket.ask("push-status").result
                        func isAsExpected(_ found: JSONValue?) -> Bool {
                            problem == nil ? found == nil : found?.string?.contains("401") == true
                        }
                        return isAsExpected(status["serverProblem"]) && isAsExpected(status["reportProblem"])
                    }
                    #expect(isThere, "\(status.text())")
                }
                try await awaitState("pending")
                try await awaitOrders(problem: "401")
                let shown = try socket.ask("reports").result["fingerprint"]
                // An event may have been sent before the first state, which has the name: then it comes with the next request.
                let isNamed = try await eventually(within: .seconds(20)) {
                    try await scene.ask("GET", "enrolments").document.at("/enrolments/0/name") == "Bar"
                }
                let listed = try await scene.ask("GET", "enrolments").document
                #expect(isNamed && listed.at("/enrolments/0/box") == .string(id), "\(listed.text())")
                #expect(shown != nil && listed.at("/enrolments/0/fingerprint") == shown)
                #expect(try await scene.approve(id) == 200)
                try await awaitState("enrolled")
                try await awaitReports()
                try await awaitOrders(problem: nil)
                #expect(try await scene.ask("GET", "boxes/\(id)").document["drift"] != nil)
                let mode = try FileManager.default.attributesOfItem(atPath: state + "/reporter/key.pem")
                #expect((mode[.posixPermissions] as? Int) == 0o600)
                let kept = try JSONValue.parse(
                    try String(contentsOfFile: state + "/reporter/credential.json", encoding: .utf8))
                let credential = kept["credential"]?.string ?? "?"
                #expect(try socket.ask("reports").result.text().contains(credential) == false)
                #expect(!box.process.messages.contains(credential))

                #expect(try await scene.ask("DELETE", "boxes/\(id)/credential").code == 200)
                try await awaitState("pending")
                #expect(try await scene.approve(id) == 200)
                try await awaitState("enrolled")
                try await awaitReports()
                #expect(try socket.ask("reports").result["lost"] == 0)
            }
        }

        /// A copy of our box, with its key, its credential and all else, runs beside it: that is told.
        @Test func aWholeCopyOfABoxIsTold() async throws {
            try await TestVenue.open(ownNetwork: true) { venue in
                let scene = try await Scene(venue)
                let token =
                    try await scene.ask("POST", "enrolment-tokens", ["name": "t"]).document["token"]?.string ?? ""
                let settings: JSONValue = [
                    "http": ["isEnabled": false],
                    "reports": [
                        "url": .string("\(scene.reporter.url)/v1/boxes/{box}/reports"), "intervalS": 1,
                        "enrol": .string(token),
                    ],
                ]
                let (original, copy) = (venue.directory.file("original"), venue.directory.file("copy"))
                func start(_ state: String) async throws -> (box: BoxProcess, socket: ControlSocket) {
                    let box = try await BoxProcess(settings, state: state, in: venue)
                    return (box, try ControlSocket(box.socket))
                }
                func awaitReports(of socket: ControlSocket) async throws {
                    let isThere = try await eventually(within: .seconds(40)) {
                        try socket.ask("reports").result["acknowledged"]?.integer ?? 0 > 1
                    }
                    #expect(isThere)
                }
                let first = try await start(original)
                try await awaitReports(of: first.socket)
                let id = try first.socket.ask("status").result["boxId"]?.string ?? ""
                first.box.process.signal(SIGKILL)
                _ = try await first.box.process.exitCode(within: .seconds(5))
                try await venue.succeed(["cp", "-a", original, copy])
                #expect(try await scene.ask("GET", "boxes/\(id)").document["clones"] == nil)
                for state in [original, copy] { try await awaitReports(of: try await start(state).socket) }
                var document = JSONValue.null
                let isTold = try await eventually(within: .seconds(40)) {
                    document = try await scene.ask("GET", "boxes/\(id)").document
                    return document.at("/clones/0/kind") == "starts"
                }
                #expect(isTold, "\(document.text())")
            }
        }
    }
}
