// SPDX-License-Identifier: Apache-2.0
import Foundation
import JSON
import Testing

/// `touchline-streamer relay` between a head-end and a box.
struct RelayProcess {
    /// What became of the datagrams of one flow, by their numbers in the order in which the relay heard them.
    struct Flow {
        /// Of the drops, each once and upwards.
        let dropped: [Int]
        let received: Int
        let duplicated: Int64
        let reordered: Int64

        /// The first number that was let through, and the last.
        var passed: ClosedRange<Int>? {
            let missing = Set(dropped)
            guard let first = (0..<received).first(where: { !missing.contains($0) }),
                let last = (0..<received).last(where: { !missing.contains($0) })
            else { return nil }
            return first...last
        }

        /// Drops that somebody can know of who hears what is let through, and is sure of it `patience` later.
        func drops(patience: Int = 0) -> Int64 {
            guard let passed else { return 0 }
            return Int64(dropped.count { $0 > passed.lowerBound && $0 <= passed.upperBound - patience })
        }
    }

    private let child: ChildProcess
    private let ledger: String

    /// - Parameter options: of its command line, without interface, hops, seed and ledger.
    static func start(
        _ options: [String], on interface: String = "lo", in venue: TestVenue
    ) async throws -> RelayProcess {
        let ledger = venue.directory.file("ledger-\(UInt32.random(in: 0 ... .max))")
        let fixed = ["--interface", interface, "--hops", "1", "--seed", "\(Interop.seed)", "--ledger", ledger]
        let program = try Programs.path("touchline-streamer")
        let child = try venue.start([program, "relay"] + options + fixed, name: "relay")
        guard try await eventually(within: .seconds(5), { child.messages.contains("flow relayed") }) else {
            throw VenueError("the relay relays nothing: \(child.messages)")
        }
        return RelayProcess(child: child, ledger: ledger)
    }

    /// Ends it. Nothing was lost but what it dropped itself.
    /// - Returns: in the order of the command line.
    func end() async throws -> [Flow] {
        child.signal(SIGTERM)
        #expect(try await child.exitCode(within: .seconds(5)) == 0)
        let file = FileManager.default.contents(atPath: ledger) ?? Data()
        let lines = try file.split(separator: 0x0a).map { try JSONValue.parse(Array($0)) }
        var dropped: [Int64: [Int]] = [:]
        for line in lines where line["event"] == "dropped" {
            guard let flow = line["flow"]?.integer, let number = line["number"]?.integer else { continue }
            dropped[flow, default: []].append(Int(number))
        }
        let totals = lines.filter { $0["event"] == "total" }
        #expect(totals.allSatisfy { $0["kernelDrops"] == 0 && $0["refused"] == 0 }, "\(totals)")
        return totals.map { total in
            let flow = total["flow"]?.integer ?? -1
            let drops = dropped[flow, default: []]
            #expect(drops.count == Int(total["dropped"]?.integer ?? -1))
            return Flow(
                dropped: drops, received: Int(total["received"]?.integer ?? 0),
                duplicated: total["duplicated"]?.integer ?? -1, reordered: total["reordered"]?.integer ?? -1)
        }
    }
}
