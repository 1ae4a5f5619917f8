// SPDX-License-Identifier: Apache-2.0
import JSON
import Provisioning
import SignedEnvelopes
import System
import TestSupport
import Testing
import Time

extension Interop {
    /// SVM-19: whenever the power fails while a box takes signed orders, what it remembers of them is whole, and an order whose
    /// settings may be in force is never taken again.
    @Suite(.enabled(if: Peer.strace.isThere)) struct OrderPowerCutTests {
        private static let orders: Int64 = Interop.isSoak ? 60 : 8
        private static let statesOfEachStep = Interop.isSoak ? 24 : 12

        private static func envelope(_ revision: Int64) -> JSONValue {
            VenueKey.envelope(revision, ["box": ["tags": [.string("order \(revision)")]]])
        }

        @Test func anOrderIsHadOnce() async throws {
            try await TestVenue.open { venue in
                let log = try await DiskLog.recording(with: VenueKey.settings, in: venue) { socket in
                    for revision in 1...Self.orders {
                        _ = try socket.ask("push", ["envelope": Self.envelope(revision)])
                        // One that is genuine and refused is had as well.
                        _ = try? socket.ask("push", ["envelope": Self.envelope(revision)])
                    }
                }
                let states = try cutPower(at: log)
                print("power cuts while orders are taken: \(states) states of \(log.steps.count) steps")
                #expect(states >= Int(Self.orders) * 12 * Self.statesOfEachStep)
                try Peer.strace.log(test: #function, checks: states)
            }
        }

        /// - Returns: the number of states of the disk that were looked into.
        private func cutPower(at log: DiskLog) throws -> Int {
            var (disk, random, states) = (PowerCutDisk(), SplitMix64(seed: 19), 0)
            // The highest revision that is certain to be on the disk.
            var (certain, renamed): (Int64, Int64?) = (0, nil)
            for step in log.steps {
                disk.perform(step)
                switch step {
                case .rename("/push.json.new", to: let path):
                    renamed = try OrderMemory(parsing: disk.content(of: path) ?? []).highest
                case .flush(""):
                    certain = max(certain, renamed ?? 0)
                    renamed = nil
                default: break
                }
                for files in disk.afterCut(Self.statesOfEachStep, &random) {
                    states += 1
                    try look(into: files, certain: certain, "\(step)")
                }
            }
            #expect(certain == Self.orders)
            return states
        }

        private func look(into files: [String: [UInt8]], certain: Int64, _ step: String) throws {
            let memory = try files["/push.json"].map { try OrderMemory(parsing: $0) } ?? OrderMemory()
            #expect(memory.highest >= certain, "\(step)")
            // What the settings may have become, whole files alone: a revision that is cut is none.
            let had = files.filter { $0.key.hasPrefix("/settings/") && $0.key.hasSuffix(".json") }.compactMap {
                (try? JSONValue.parse($0.value))?.at("/settings/box/tags/0")?.string?.split(separator: " ").last
                    .flatMap { Int64($0) }
            }
            #expect(memory.highest >= had.max() ?? 0, "\(step): settings of an order that may be taken again")
            if let applied = memory.applied { #expect(had.contains(applied), "\(step)") }
            var admission = OrderAdmission(
                keys: [OrderKey(id: "venue", key: VenueKey.signing.verifyingKey, scopes: [.all])],
                recipient: OrderRecipient(box: "a", group: nil, tags: []), memory: memory)
            let clock = OrderClock(
                now: SystemClock.wall(), isSet: false, built: WallTime(nanoseconds: 0))
            for revision in Set(had + [certain]) where revision > 0 {
                #expect(throws: OrderRefusal.replayed(revision: revision, highest: memory.highest)) {
                    try admission.admit(Self.envelope(revision), at: clock)
                }
            }
            let next = try admission.admit(Self.envelope(memory.highest + 1), at: clock)
            #expect(next.order.revision == memory.highest + 1)
        }
    }
}
