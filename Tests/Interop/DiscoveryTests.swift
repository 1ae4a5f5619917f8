// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

extension Interop {
    /// Televisions on the link are found, and a box is, by GSSDP, which knows nothing of us: SSDP and DIAL both ways.
    @Suite(.enabled(if: Peer.gssdp.isThere)) struct DiscoveryTests {
        private static let searching: JSONValue = ["discovery": ["searches": true, "interface": "lo"]]

        private static func start(_ arguments: [String], in venue: TestVenue) async throws -> ChildProcess {
            let program = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("discovery.py")
            let process = try venue.start([Peer.gssdp.path, "-B", program.path] + arguments, name: "gssdp")
            _ = try await line(of: process, "ready") { $0["ready"] == true }
            return process
        }

        private static func line(
            of process: ChildProcess, _ what: String, _ fits: (JSONValue) -> Bool
        ) async throws -> JSONValue {
            var found: JSONValue?
            _ = try await eventually(within: .seconds(15)) {
                let whole = process.outputText.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                let lines = try whole.map { try JSONValue.parse(Array($0.utf8)) }
                found = lines.last(where: fits)
                return found != nil || !process.isRunning
            }
            guard let found else { throw VenueError("\(what): \(process.outputText)\(process.messages)") }
            return found
        }

        private static func row(_ name: String, of box: ControlSocket) throws -> JSONValue? {
            try box.ask("sync-find").result["televisions"]?.array?.first { $0["name"] == .string(name) }
        }

        /// A foreign device is found by a box, and gone when it says so.
        @Test func aForeignTelevisionIsFound() async throws {
            try await TestVenue.open { venue in
                let name = "Bar & grill \(UInt32.random(in: 0 ... .max))"
                let url = "ws://127.0.0.1:9/cii"
                let box = try await BoxProcess(["sync": Self.searching], in: venue)
                let socket = try ControlSocket(box.socket)
                let device = try await Self.start(["device", name, url], in: venue)
                let isFound = try await eventually(within: .seconds(15)) {
                    try Self.row(name, of: socket) != nil
                }
                let counters = try socket.ask("stats").result["stats"]?["televisionSearch"]
                #expect(isFound, "\(counters?.text() ?? "no search")")
                let row = try Self.row(name, of: socket)
                #expect(row?["url"] == .string(url) && row?["address"] == "127.0.0.1")
                let isFollowed = try await eventually(within: .seconds(5)) {
                    try Self.row(name, of: socket)?["isFollowed"] == true
                }
                #expect(isFollowed)
                // Nothing listens there, which is said.
                let read = try await box.run("sync-cii", url)
                #expect(read.messages.contains("\(url): not reached: "), "\(read.messages)")
                device.signal(SIGTERM)
                #expect(try await eventually(within: .seconds(5)) { try Self.row(name, of: socket) == nil }, "lost")
                #expect(try socket.ask("sync").result["television"] == .null)
                try Peer.gssdp.log(test: #function, checks: 5)
            }
        }

        /// A box that serves is found by a foreign companion, which reads where its timeline is; launches are refused; it
        /// says farewell.
        @Test func aBoxIsFoundByAForeignCompanion() async throws {
            try await TestVenue.open { venue in
                let name = "Leader \(UInt32.random(in: 0 ... .max))"
                let companion = try await Self.start(["search"], in: venue)
                let box = try await BoxProcess(
                    [
                        "sync": [
                            "serve": ["isEnabled": true, "addresses": ["127.0.0.1"], "port": 0, "wallClockPort": 0],
                            "discovery": ["isAnnounced": true, "interface": "lo", "name": .string(name)],
                        ]
                    ], in: venue)
                let socket = try ControlSocket(box.socket)
                let served = try #require(try socket.ask("sync").result["served"])
                let line = try await Self.line(of: companion, "found") { $0["name"] == .string(name) }
                #expect(line["cii"] == served && line["launch"] == 403)
                let read = try socket.ask("sync-cii", ["url": served]).result
                #expect(read["protocolVersion"] == "1.1" && read["presentationStatus"] == "okay")
                #expect(try await box.counter("/announcement/launchesRefused") == 1)
                // A later companion is answered, perhaps after it has heard an announcement.
                let later = try await Self.start(["search"], in: venue)
                _ = try await Self.line(of: later, "found later") { $0["name"] == .string(name) }
                let isAnswered = try await eventually(within: .seconds(10)) {
                    try await box.counter("/announcement/answers") > 0
                }
                #expect(isAnswered)
                _ = try await box.run("config-set", "sync.discovery.isAnnounced", "false")
                let unique = try #require(line["found"])
                _ = try await Self.line(of: companion, "lost") { $0["lost"] == unique }
                try Peer.gssdp.log(test: #function, checks: 6)
            }
        }
    }
}
