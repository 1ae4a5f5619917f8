// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The benchmarks: `bench [NAME...]`, a name being the start of some. Fails when one is above its limit. `bench
/// window-table` prints what repair costs and saves instead.
@main
struct Bench {
    private static let all: [Benchmark] = [
        transportStreamBenchmarks, rtpBenchmarks, jsonBenchmarks, historyBenchmarks, ringBenchmarks, lineUpBenchmarks,
        textBenchmarks, receptionBenchmarks, repairBenchmarks,
    ].flatMap { $0 }

    static func main() {
        let wanted = CommandLine.arguments.dropFirst()
        if wanted.elementsEqual([RepairTable.name]) { return RepairTable.print() }
        if let unknown = wanted.first(where: { name in !all.contains { $0.name.hasPrefix(name) } }) {
            complain("no benchmark \(unknown); there are: \(all.map(\.name).joined(separator: " "))")
            exit(2)
        }
        #if DEBUG
        complain("a debug build: these numbers say nothing; use board/bench")
        #endif
        var isSlow = false
        Table.printHead()
        for benchmark in all where wanted.isEmpty || wanted.contains(where: { benchmark.name.hasPrefix($0) }) {
            let result = benchmark.measured()
            Table.print(benchmark, result)
            guard let limit = benchmark.limit, result.nanoseconds > limit else { continue }
            complain("\(benchmark.name) takes \(result.nanoseconds) ns, its limit is \(limit)")
            isSlow = true
        }
        exit(isSlow ? 1 : 0)
    }

    private static func complain(_ text: String) { FileHandle.standardError.write(Data("bench: \(text)\n".utf8)) }
}
