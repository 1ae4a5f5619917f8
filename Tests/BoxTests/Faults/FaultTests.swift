// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import Time

@testable import Box

/// One box, and faults in random order, each taken back: `TOUCHLINE_FAULTS` of them, which are those of
/// `TOUCHLINE_SEED`.
@Suite(.serialized, .enabled(if: OwnNetwork.canBeMade && Groups.canBeJoined)) struct FaultTests {
    private static let usual = 10
    /// After so many a run ends.
    private static let mostProblems = 5
    private static let count =
        ProcessInfo.processInfo.environment["TOUCHLINE_FAULTS"].flatMap(Int.init) ?? usual
    /// Names of faults, if only these are wanted.
    private static let only =
        ProcessInfo.processInfo.environment["TOUCHLINE_FAULT_NAMES"]?.split(separator: ",").compactMap {
            Fault(rawValue: String($0))
        }

    /// Within five seconds after each a new picture of the channel that is tuned is seen, and in the end the process has
    /// what it had.
    @Test func aPictureComesBackAfterEachFault() throws {
        let seed = Effort.seed
        let faults = Self.draw(Self.count, seed)
        // The thread with the network is not the test's: problems are told here.
        let problems = try OwnNetwork.run { try Self.run(faults, seed) }
        #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
    }

    private static func run(_ draws: [[Fault]], _ seed: UInt64) throws -> [String] {
        guard OwnNetwork.connect() else { return ["there are no interfaces"] }
        let bench = try FaultBench(port: 21_500, seed: seed)
        var record = FaultRecord(seed: seed)
        do {
            for (number, faults) in draws.enumerated() where record.problems.count < mostProblems {
                let isPlayed = try bench.perform(faults[...])
                let time = try bench.timeToPicture()
                try record.add(number + 1, faults, time, isPlayed: isPlayed)
                guard time == nil || !isPlayed else { continue }
                print(bench.report())
                guard time == nil else { continue }
                let later = try bench.timeToPicture(within: .seconds(20))
                print(later.map { "it came \($0.milliseconds) ms later" } ?? "it never came")
                if later == nil { try bench.playAnew() }
            }
            record.judge()
        } catch {
            record.problems.append("\(error)")
        }
        let status = bench.end()
        if status != .ok { record.problems.append("the box ended with \(String(describing: status))") }
        let screen = bench.screen.now
        if screen.buffers + screen.framebuffers + screen.blobs != 0 { record.problems.append("\(screen) is left") }
        return record.problems
    }

    /// All faults in random order, again and again; a quarter of them has another in its midst.
    private static func draw(_ count: Int, _ seed: UInt64) -> [[Fault]] {
        var random = SplitMix64(seed: seed)
        let known = only ?? Fault.allCases
        var draws: [[Fault]] = []
        while draws.count < count {
            for fault in known.shuffled(using: &random) {
                draws.append(random.percent(25) ? [fault, random.one(of: known)] : [fault])
            }
        }
        return Array(draws.prefix(count))
    }
}
