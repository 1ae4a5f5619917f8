// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// G-33: the programs as they are, in a network that loses 5 %. Nobody may have set this machine's clock, so strace answers
    /// in the kernel's place when a box asks whether somebody has.
    @Suite(.enabled(if: Peer.strace.isThere)) struct GroupCommandTests {
        private static let clockIsSet = [
            "strace", "-D", "-f", "-q", "--seccomp-bpf", "-o", "/dev/null", "-e", "trace=adjtimex,clock_adjtime",
            "-e", "inject=adjtimex,clock_adjtime:retval=0",
        ]
        private static let commands = 25

        private static func settings(_ group: Group) -> JSONValue {
            let channels: [JSONValue] = ["One", "Two"].enumerated().map { number, name in
                ["name": .string(name), "address": "239.255.77.50", "port": .integer(Int64(22_000 + 2 * number))]
            }
            let key: JSONValue = [
                "id": "venue", "publicKey": .string(VenueKey.signing.verifyingKey.base64), "targets": ["group:bar"],
                "commands": ["tune"],
            ]
            return [
                "channels": .array(channels), "push": ["group": "bar", "keys": [key]],
                "groupCommands": ["listen": [group.json]],
            ]
        }

        /// What the box did, by sequence.
        private static func acted(_ box: BoxProcess) async throws -> [(sequence: Int64, delay: Int64)] {
            let events = try await box.answer("events")["events"]?.array ?? []
            return events.filter { $0["type"] == "service.groupCommandActed" }.compactMap { event in
                guard let sequence = event.at("/payload/sequence")?.integer,
                    let delay = event.at("/payload/delayMs")?.integer
                else { return nil }
                return (sequence, delay)
            }
        }

        @Test func boxesTuneTogetherThroughLoss() async throws {
            try await TestVenue.open { venue in
                let (group, via) = (Group(), Group())
                let key = try venue.directory.write(VenueKey.pem, to: "venue.pem")
                _ = try await RelayProcess.start(
                    [
                        "--from", "\(via.address):\(via.port)", "--to", "\(group.address):\(group.port)", "--loss",
                        "5%",
                    ], in: venue)
                let states = (0..<3).map { venue.directory.file("state \($0)") }
                var boxes: [BoxProcess] = []
                for state in states {
                    boxes.append(
                        try await BoxProcess(
                            Self.settings(group), state: state, through: Self.clockIsSet, in: venue))
                }
                let client = try Programs.path("touchline")
                func words(_ command: String, _ line: String, _ more: [String] = []) -> [String] {
                    [client, command, "--key", key, "--key-id", "venue", "--group", "bar"] + more + [line]
                }
                for number in 0..<Self.commands {
                    let line = number.isMultiple(of: 2) ? "tune One" : "tune Two"
                    let to = ["--to", "\(via.address):\(via.port)", "--interface", "lo"]
                    try await venue.succeed(words("group-send", line, to))
                }
                for box in boxes {
                    let isDone = try await eventually(within: .seconds(5)) {
                        try await Self.acted(box).count == Self.commands
                    }
                    let acted = try await Self.acted(box)
                    #expect(isDone, "\(acted.count) of \(Self.commands)")
                    #expect(acted.map(\.sequence) == Set(acted.map(\.sequence)).sorted())
                    let delays = acted.map(\.delay).sorted()
                    print("group commands through 5 % loss: after \(delays) ms")
                    #expect(delays.count { $0 <= 300 } >= Self.commands - 1, "\(delays)")
                }
                try await Self.killAndReplay(boxes[0], state: states[0], group, words, in: venue)
                try Peer.strace.log(test: #function, checks: boxes.count * Self.commands)
            }
        }

        /// The box dies as soon as it has acted. After its start it has the command, and does not do it again.
        private static func killAndReplay(
            _ box: BoxProcess, state: String, _ group: Group,
            _ words: (String, String, [String]) -> [String], in venue: TestVenue
        ) async throws {
            let signed = try await venue.succeed(words("group-sign", "tune One", ["--life-s", "600"])).output
            let (envelope, sender) = (Array(signed.dropLast()), try DatagramSender(to: group))
            try sender.send(envelope)
            guard try await eventually(within: .seconds(5), { try await acted(box).count == commands + 1 }) else {
                throw VenueError("it does not act: \(try await box.answer("group-commands"))")
            }
            box.process.signal(SIGKILL)
            _ = try await box.process.exitCode(within: .seconds(5))
            let again = try await BoxProcess(settings(group), state: state, through: clockIsSet, in: venue)
            for _ in 0..<5 { try sender.send(envelope) }
            let isRefused = try await eventually(within: .seconds(5)) {
                try await again.counter("/groupCommands/refused/replayed") == 5
            }
            let status = try await again.answer("group-commands")
            #expect(isRefused, "\(status.text())")
            #expect(try await acted(again).isEmpty)
        }

        /// The box goes by what the kernel says of this machine's clock.
        @Test func theKernelSaysWhetherTheClockIsSet() async throws {
            try await TestVenue.open { venue in
                let group = Group()
                let key = try venue.directory.write(VenueKey.pem, to: "venue.pem")
                let box = try await BoxProcess(Self.settings(group), in: venue)
                let isSet = try await box.answer("group-commands")["isClockSet"] == true
                try await venue.succeed([
                    try Programs.path("touchline"), "group-send", "--key", key, "--key-id", "venue", "--group", "bar",
                    "--to", "\(group.address):\(group.port)", "--interface", "lo", "tune One",
                ])
                let path = isSet ? "/groupCommands/acted" : "/groupCommands/refused/clockNotSet"
                let isCounted = try await eventually(within: .seconds(5)) { try await box.counter(path) > 0 }
                let status = try await box.answer("group-commands")
                #expect(isCounted, "\(status.text())")
                #expect(try await Self.acted(box).count == (isSet ? 1 : 0))
            }
        }
    }
}
