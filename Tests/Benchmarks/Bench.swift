// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The benchmarks: `bench [NAME...]`, a name being the start of some. Fails when one is above its limit. `window-table`,
/// the last of them, is no measurement: it prints what repair costs and saves. Nor is `wall-clock-samples`, which is for
/// `board/bench wallclock`.
@main
struct Bench {
    private static let all: [Benchmark] = [
        transportStreamBenchmarks, rtpBenchmarks, jsonBenchmarks, historyBenchmarks, ringBenchmarks, lineUpBenchmarks,
        textBenchmarks, receptionBenchmarks, repairBenchmarks, collectingBenchmarks,
    ].flatMap { $0 }

    static func main() {
        let wanted = CommandLine.arguments.dropFirst()
        if wanted.first == WallClockSamples.name {
            do {
                try WallClockSamples.print(Array(wanted.dropFirst()))
                exit(0)
            } catch {
                complain("\(WallClockSamples.name): \(error)")
                exit(1)
            }
        }
        let names = all.map(\.name) + [RepairTable.name]
        if let unknown = wanted.first(where: { name in !names.contains { $0.hasPrefix(name) } }) {
            complain("no benchmark \(unknown); there are: \(names.joined(separator: " "))")
            exit(2)
        }
        #if DEBUG
        complain("a debug build: these numbers say nothing; use board/bench")
        #endif
        var isSlow = false
        func isWanted(_ name: String) -> Bool { wanted.isEmpty || wanted.contains { name.hasPrefix($0) } }
        let isTable = names.dropLast().contains { isWanted($0) }
        if isTable { Table.printHead() }
        for benchmark in all where isWanted(benchmark.name) {
            let result = benchmark.measured()
            Table.print(benchmark, result)
            guard let limit = result.limit(of: benchmark), result.nanoseconds > limit else { continue }
            complain("\(benchmark.name) takes \(result.nanoseconds) ns, its limit is \(limit)")
            isSlow = true
        }
        if isWanted(RepairTable.name) { RepairTable.print() }
        exit(isSlow ? 1 : 0)
    }

    private static func complain(_ text: String) { FileHandle.standardError.write(Data("bench: \(text)\n".utf8)) }
}
