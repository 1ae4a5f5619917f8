// SPDX-License-Identifier: Apache-2.0
import Credentials
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
                let log = try await DiskLog.recording(in: venue) { socket in
                    for number in 0..<Self.tokens {
                        _ = try socket.ask("token-create", ["name": .string("t\(number)")])
                        if number % 3 == 2 { _ = try socket.ask("token-revoke", ["name": .string("t\(number - 1)")]) }
                    }
                }
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
            var renamed = -1
            for step in log.steps {
                disk.perform(step)
                switch step {
                case .rename(name + ".new", to: name):
                    written.append(disk.content(of: name) ?? [])
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
