// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// A change of settings that costs the picture, while the box plays ffmpeg's channel (SVM-21, G-11).
    @Suite(.enabled(if: Peer.ffmpeg.isThere && Peer.hasNamespaces)) struct SettingsProofTests {
        /// A running box whose channel plays, with what is asked of it.
        private struct Scene {
            let socket: ControlSocket
            let group: Group

            var isPlaying: Bool {
                get throws {
                    let status = try socket.ask("status").result
                    return status["isPlaying"] == true && status["channel"] == "One"
                }
            }

            func setting(_ path: String) throws -> JSONValue? {
                try socket.ask("config", ["path": .string(path)]).result["config"]
            }

            func history() throws -> [JSONValue] { try socket.ask("config-history").result["revisions"]?.array ?? [] }

            /// Why the newest revision was made.
            var comment: String { get throws { try history().first?["comment"]?.string ?? "" } }

            func awaitPicture(_ what: String) async throws {
                let isThere = try await eventually(within: .seconds(10)) { try isPlaying }
                if !isThere { throw VenueError("\(what): no picture: \(try socket.ask("status").result)") }
            }
        }

        private static func settings(_ group: Group) -> JSONValue {
            [
                "http": ["isEnabled": false], "output": ["layout": "full"],
                "channels": [
                    ["name": "One", "address": group.json["address"] ?? .null, "port": group.json["port"] ?? .null]
                ],
                "playback": ["autoTune": "One"], "confirmation": ["steadyS": 2],
            ]
        }

        private func open(_ body: (TestVenue, Scene, BoxProcess, _ state: String) async throws -> Void) async throws {
            try await TestVenue.open(ownNetwork: true) { venue in
                let group = Group()
                let video = try await CountedVideo.make(seconds: 120, in: venue)
                try venue.start(
                    [
                        "ffmpeg", "-v", "error", "-re", "-i", video.path, "-c", "copy", "-f", "rtp_mpegts",
                        "rtp://\(group.address):\(group.port)?ttl=1&pkt_size=1328",
                    ], name: "ffmpeg")
                let state = venue.directory.file("state")
                let box = try await BoxProcess(Self.settings(group), state: state, in: venue)
                let scene = Scene(socket: try ControlSocket(box.socket), group: group)
                try await scene.awaitPicture("start")
                try await body(venue, scene, box, state)
            }
        }

        /// Each is accepted, because each is valid, and costs the picture or the network.
        @Test func whatCostsThePictureIsTakenBack() async throws {
            try await open { venue, scene, _, _ in
                for words in [
                    "link add deaf0 type veth peer name deaf1", "link set deaf1 up", "link set deaf0 up",
                    "addr add 192.0.2.9/24 dev deaf0",
                ] {
                    try await venue.succeed(["ip"] + words.split(separator: " ").map(String.init))
                }
                let elsewhere = Group()
                let changes: [(what: String, patch: JSONValue, why: String)] = [
                    (
                        "a channel of another group",
                        ["channels": [["name": "One", "address": elsewhere.json["address"] ?? .null, "port": 5_004]]],
                        "no picture"
                    ),
                    ("an interface that hears nothing", ["network": ["interface": "deaf0"]], "no picture"),
                ]
                for change in changes {
                    let before = try scene.socket.ask("config").result["config"]
                    let answer = try scene.socket.ask(
                        "config-merge", ["settings": change.patch, "confirmWithinS": 10]
                    ).result
                    #expect(answer.at("/confirmation/expected")?.array?.contains("picture") == true, "\(change.what)")
                    let isBack = try await eventually(within: .seconds(20)) {
                        try scene.socket.ask("config").result["config"] == before
                    }
                    if !isBack { throw VenueError("\(change.what): \(try scene.history())") }
                    try await scene.awaitPicture(change.what)
                    let history = try scene.history()
                    let comment = try scene.comment
                    #expect(comment.contains(change.why), "\(change.what): \(comment)")
                    #expect(history.map { $0["state"] }.prefix(2) == ["inForce", "neverConfirmed"])
                }
                try Peer.ffmpeg.log(test: #function, checks: 10)
            }
        }

        @Test func whatLeavesThePictureIsConfirmed() async throws {
            try await open { _, scene, _, _ in
                _ = try scene.socket.ask(
                    "config-set", ["path": "playback.playoutDelayMs", "value": 300, "confirmWithinS": 20])
                #expect(try scene.history().first?["state"] == "unconfirmed")
                let isConfirmed = try await eventually(within: .seconds(20)) {
                    try scene.history().first?["state"] == "inForce"
                }
                if !isConfirmed { throw VenueError("not confirmed: \(try scene.history())") }
                #expect(try scene.setting("playback.playoutDelayMs") == 300)
                try await scene.awaitPicture("confirmed")
                try Peer.ffmpeg.log(test: #function, checks: 3)
            }
        }

        /// A crash, or a power cut, before the change has proved itself: the next start is without it, and plays.
        @Test func aBoxThatEndsBeforeIsWithoutTheChange() async throws {
            try await open { venue, scene, box, state in
                _ = try scene.socket.ask(
                    "config-set", ["path": "channels.One.port", "value": 5_004, "confirmWithinS": 600])
                box.process.signal(SIGKILL)
                _ = try await box.process.exitCode(within: .seconds(5))
                let next = try await BoxProcess(Self.settings(scene.group), state: state, in: venue)
                let again = Scene(socket: try ControlSocket(next.socket), group: scene.group)
                try await again.awaitPicture("started again")
                #expect(try again.setting("channels.One.port") == scene.group.json["port"])
                #expect(try again.comment.contains("was not confirmed before the box ended"))
                try Peer.ffmpeg.log(test: #function, checks: 2)
            }
        }

        /// G-12: a technician schedules a restart, cuts the box off from its channel, and is saved by the restart. `restart`
        /// stands for the one that was scheduled: both end the service alike.
        @Test func aRestartBringsBackTheSettingsThatWereThere() async throws {
            try await open { venue, scene, box, state in
                _ = try scene.socket.ask("restart-in", ["minutes": 60])
                let before = try scene.setting("box.name")
                _ = try scene.socket.ask("config-set", ["path": "box.name", "value": "Changed"])
                _ = try scene.socket.ask("config-set", ["path": "channels.One.port", "value": 5_004])
                #expect(try scene.setting("box.name") == "Changed")
                try await Task.sleep(for: .seconds(4))  // longer than what works has to be steady
                #expect(try scene.history().first?["state"] == "unconfirmed")
                _ = try scene.socket.ask("restart")
                #expect(try await box.process.exitCode(within: .seconds(10)) == 0)
                let next = try await BoxProcess(Self.settings(scene.group), state: state, in: venue)
                let again = Scene(socket: try ControlSocket(next.socket), group: scene.group)
                try await again.awaitPicture("started again")
                #expect(try again.setting("channels.One.port") == scene.group.json["port"])
                #expect(try again.setting("box.name") == before)
                #expect(throws: (any Error).self, "a start clears the schedule") {
                    try again.socket.ask("restart-cancel")
                }
                try Peer.ffmpeg.log(test: #function, checks: 5)
            }
        }

        /// Goal M5: settings with which the box shows nothing, start after start, are given up for the image's own.
        @Test(.enabled(if: Peer.strace.isThere)) func settingsThatEndEachStartAreGivenUp() async throws {
            try await TestVenue.open { venue in
                let image = try venue.directory.write(
                    #"{"http":{"isEnabled":false},"announcements":{"groups":[]},"box":{"name":"image"}}"#, to: "image")
                let installed = try venue.directory.write(#"{"box":{"name":"installed"}}"#, to: "installed")
                let state = venue.directory.file("state")
                func start(_ number: Int, through entry: [String]) throws -> (ChildProcess, String) {
                    let socket = venue.directory.file("s\(number)")
                    let command = [
                        try Programs.path("touchlined"), "--image", image, "--config", installed, "--state", state,
                        "--socket", socket,
                    ]
                    return (try venue.start(entry + command, name: "box\(number)"), socket)
                }
                // The first thing that a start does once it has shown something is to remove this file.
                let shown = FileChange(call: "unlink", path: state + "/starts", occurrence: 1)
                for number in 1...4 {
                    let trace = venue.directory.file("trace\(number)")
                    let (process, _) = try start(number, through: shown.killing(trace: trace))
                    #expect(try await process.exitCode(within: .seconds(20)) == -SIGKILL, "\(process.messages)")
                }
                let (_, path) = try start(5, through: [])
                var opened: ControlSocket?
                _ = try await eventually(within: .seconds(10)) {
                    opened = try? ControlSocket(path)  // refused until the service listens
                    return opened != nil
                }
                let socket = try #require(opened)
                #expect(try socket.ask("config", ["path": "box.name"]).result["config"] == "image")
                let newest = try socket.ask("config-history").result.at("/revisions/0")
                #expect(newest?["author"] == "touchline", "\(newest ?? .null)")
                #expect(newest?["comment"]?.string?.hasPrefix("4 starts in a row showed nothing") == true)
                try Peer.strace.log(test: #function, checks: 6)
            }
        }
    }
}
