// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Time
import Venue

@testable import ErasureCoding

struct ParityDetectorTests {
    private static let interval = Nanoseconds.milliseconds(2)

    /// A flow, and what comes to the ports of parity, in the order of sending.
    private struct Passage {
        let detector = ParityDetector()
        var now = Monotonic(nanoseconds: 5_000_000_000)

        mutating func media(_ packet: [UInt8]) {
            now += ParityDetectorTests.interval
            packet.withUnsafeBytes { detector.mediaReceived($0, at: now) }
        }

        func parity(_ packet: [UInt8], on port: ParityFlow) {
            packet.withUnsafeBytes { detector.parityReceived($0, on: port, at: now) }
        }

        /// - Parameter isLost: asked of each packet of the media and of parity.
        mutating func pass(_ packets: [[UInt8]], _ sent: [ParityScene.Sent], isLost: () -> Bool = { false }) {
            for one in sent where !isLost() {
                switch one {
                case .media(let index): media(packets[index])
                case .parity(let bytes, let flow): parity(bytes, on: flow)
                }
            }
        }
    }

    @Test(arguments: [(8, 8), (5, 20), (20, 5), (10, 10), (4, 4)]) func itsOwnParityIsFound(
        columns: Int, rows: Int
    ) throws {
        for loss in [0, 0.02, 0.05] {
            var random = SplitMix64(seed: UInt64(columns * 100 + rows))
            let packets = ParityScene.packets(4_000, isVaried: true)
            let sent = ParityScene.sent(packets, by: ParityEncoder(columns: columns, rows: rows))
            var passage = Passage()
            passage.pass(packets, sent) { Double.random(in: 0..<1, using: &random) < loss }
            let finding = try #require(passage.detector.finding, "\(columns) x \(rows), \(loss)")
            #expect(finding.hasColumns && finding.hasRows && passage.detector.foreign == 0)
            // From the first packet of a block to its last column is at least a block, and less than two.
            let block = Self.interval * Int64(columns * rows)
            #expect(finding.span >= block && finding.span <= block * 3 + .milliseconds(50), "\(finding.span)")
        }
    }

    @Test func columnsAloneAreFound() throws {
        let packets = ParityScene.packets(3_000)
        let sent = ParityScene.sent(packets, by: ParityEncoder(columns: 8, rows: 8)).filter {
            if case .parity(_, .rows) = $0 { false } else { true }
        }
        var passage = Passage()
        passage.pass(packets, sent)
        let finding = try #require(passage.detector.finding)
        #expect(finding.hasColumns && !finding.hasRows)
        #expect(!passage.detector.isForeign(.rows), "what is silent is nothing else")
    }

    /// A sender that has just begun is watched for two seconds.
    @Test func nothingIsBelievedAtOnce() {
        let packets = ParityScene.packets(900)
        var passage = Passage()
        passage.pass(packets, ParityScene.sent(packets, by: ParityEncoder(columns: 5, rows: 5)))
        #expect(passage.detector.finding == nil && passage.detector.foreign == 0)
    }

    /// Parity of other packets with the same sequence numbers, another channel's media, and octets of any kind.
    @Test func whatElseComesIsCountedAndGivenUp() {
        let packets = ParityScene.packets(4_000)
        let others = ParityScene.packets(4_000, source: 7, seed: 2)
        let sent = ParityScene.sent(others, by: ParityEncoder(columns: 8, rows: 8))
        var random = SplitMix64(seed: 3)
        let kinds: [(ParityScene.Sent) -> [UInt8]?] = [
            { if case .parity(let bytes, _) = $0 { bytes } else { nil } },
            { if case .media(let index) = $0 { others[index] } else { nil } },
            { _ in (0..<Int.random(in: 0...200, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
            },
        ]
        for (place, kind) in kinds.enumerated() {
            var passage = Passage()
            var count = 0
            for one in sent {
                if case .media(let index) = one { passage.media(packets[index]) }
                guard let stranger = kind(one) else { continue }
                passage.parity(stranger, on: .columns)
                count += 1
            }
            #expect(passage.detector.finding == nil, "\(place)")
            #expect(passage.detector.isForeign(.columns) && !passage.detector.isForeign(.rows), "\(place)")
            #expect(
                passage.detector.foreign > Int64(count * 9 / 10), "\(place): \(passage.detector.foreign) of \(count)")
        }
    }

    @Test func parityAmongSomethingElseIsFound() throws {
        let packets = ParityScene.packets(3_000)
        var passage = Passage()
        for one in ParityScene.sent(packets, by: ParityEncoder(columns: 5, rows: 5)) {
            passage.pass(packets, [one])
            if case .parity(_, let flow) = one { passage.parity([1, 2, 3], on: flow) }
        }
        let finding = try #require(passage.detector.finding)
        #expect(finding.hasColumns && finding.hasRows && passage.detector.foreign > 100)
        #expect(!passage.detector.isForeign(.columns) && !passage.detector.isForeign(.rows))
    }

    /// What was proven of one sender says nothing of the next.
    @Test func anotherSenderBeginsAnew() {
        let packets = ParityScene.packets(900)
        let encoder = ParityEncoder(columns: 5, rows: 5)
        var passage = Passage()
        passage.pass(packets, ParityScene.sent(packets, by: encoder))
        let others = ParityScene.packets(600, source: 9, seed: 5)
        passage.pass(others, others.indices.map { .media($0) })
        #expect(passage.detector.finding == nil)
        passage.pass(
            others,
            ParityScene.sent(others, by: ParityEncoder(columns: 5, rows: 5)).filter {
                if case .parity = $0 { true } else { false }
            })
        #expect(passage.detector.finding == nil, "all at one instant")
    }

    /// Its span would be longer than anybody waits.
    @Test func slowParityIsNotUsed() {
        let packets = ParityScene.packets(2_000)
        var passage = Passage()
        for one in ParityScene.sent(packets, by: ParityEncoder(columns: 10, rows: 10)) {
            passage.now += .milliseconds(40)
            passage.pass(packets, [one])
        }
        #expect(passage.detector.finding == nil && passage.detector.foreign == 0)
    }
}
