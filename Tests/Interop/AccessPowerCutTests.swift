// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import JSON
import System
import TestSupport
import Testing

extension Interop {
    /// Whenever the power fails, a box knows whole credentials: none before those that were answered.
    @Suite(.enabled(if: Peer.strace.isThere)) struct AccessPowerCutTests {
        private static let tokens = Interop.isSoak ? 40 : 8
        private static let statesOfEachStep = Interop.isSoak ? 24 : 8

        @Test func tokensAreWholeAndKept() async throws {
            try await TestVenue.open { venue in
                let (state, trace) = (venue.directory.file("state"), venue.directory.file("trace"))
                let image = try venue.directory.write(
                    #"{"http":{"isEnabled":false},"announcements":{"groups":[]}}"#, to: "image")
                let path = venue.directory.file("socket")
                let process = try venue.start(
                    DiskLog.recording(to: trace) + [
                        try Programs.path("touchlined"), "--image", image, "--config", venue.directory.file("none"),
                        "--state", state, "--socket", path,
                    ], name: "box")
                var opened: ControlSocket?
                _ = try await eventually(within: .seconds(20)) {
                    opened = try? ControlSocket(path)  // refused until the service listens
                    return opened != nil
                }
                let socket = try #require(opened)
                for number in 0..<Self.tokens {
                    _ = try socket.ask("token-create", ["name": .string("t\(number)")])
                    if number % 3 == 2 { _ = try socket.ask("token-revoke", ["name": .string("t\(number - 1)")]) }
                }
                process.signal(SIGKILL)
                _ = try await process.exitCode(within: .seconds(5))
                var text = ""
                _ = try await eventually(within: .seconds(5)) {
                    text = try String(contentsOfFile: trace, encoding: .utf8)
                    return text.contains("killed by SIGKILL")
                }
                // strace is behind the program: what it saw last may not be there, which is another cut.
                let log = try DiskLog(text, below: state)
                let states = try cutPower(at: log)
                print("power cuts: \(states) states of \(log.steps.count) steps")
                #expect(states >= 100 * Self.tokens / 8)
                try Peer.strace.log(test: #function, checks: states)
            }
        }

        private func cutPower(at log: DiskLog) throws -> Int {
            let name = "/access.json"
            var (disk, random, states) = (PowerCutDisk(), SplitMix64(seed: 21), 0)
            var (written, certain): ([[UInt8]], Int) = ([], -1)
            var draft: [UInt8] = []
            var renamed = -1
            for step in log.steps {
                disk.perform(step)
                switch step {
                case .create(name + ".new"): draft = []
                case .write(name + ".new", let octets): draft += octets
                case .rename(name + ".new", to: _):
                    written.append(draft)
                    renamed = written.count - 1
                case .flush(""): certain = max(certain, renamed)
                default: break
                }
                for files in disk.afterCut(Self.statesOfEachStep, &random) {
                    states += 1
                    guard let octets = files[name] else {
                        #expect(certain < 0, "\(step): the file is gone")
                        continue
                    }
                    #expect(
                        written[max(0, certain)...].contains(octets), "\(step): \(octets.count) octets, from \(certain)"
                    )
                    #expect(throws: Never.self, "\(step)") { try Credentials(parsing: octets) }
                }
            }
            #expect(written.count >= Self.tokens)
            return states
        }
    }
}
