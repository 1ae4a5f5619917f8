// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Prints a line per benchmark as it is done.
struct Table {
    private static let widths = [22, 9, 7, 9, 8]

    static func printHead() { printRow(["benchmark", "ns", "spread", "MB/s", "limit"], "peer; per; reproduce") }

    static func print(_ benchmark: Benchmark, _ result: Measurement) {
        let rate = benchmark.octets.map { number(Double($0) * 1_000 / result.nanoseconds) } ?? "-"
        let limit = result.limit(of: benchmark).map { number($0) } ?? "-"
        var remarks = "per \(benchmark.operation); board/bench \(benchmark.name)"
        if let peer = benchmark.peer, let nanoseconds = result.peer {
            let ratio = String(format: "%.2f", result.nanoseconds / nanoseconds)
            remarks = "\(ratio) of \(peer.name)'s \(number(nanoseconds)); \(remarks)"
        }
        let spread = String(format: "%.0f %%", result.spread * 100)
        printRow([benchmark.name, number(result.nanoseconds), spread, rate, limit], remarks)
    }

    private static func printRow(_ cells: [String], _ remarks: String) {
        let padded = zip(cells, widths).enumerated().map { index, cell in
            let padding = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
            return index == 0 ? cell.0 + padding : padding + cell.0
        }
        FileHandle.standardOutput.write(Data("\(padded.joined(separator: " "))  \(remarks)\n".utf8))
    }

    private static func number(_ value: Double) -> String { String(format: value < 100 ? "%.1f" : "%.0f", value) }
}
