// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Venue

@testable import ErasureCoding

@Suite struct EvaluationCodeTests {
    /// Four symbols of four octets and three repairs, as zfec, OpenFEC and flute make them, and as the formula says.
    @Test(arguments: [
        (RepairWindows.Generator.peers, "898a8b26 252627b8 4f4c4d68"),
        (.rfc5510, "1516177f 424140d8 484b4aaf"),
    ])
    func vectors(generator: RepairWindows.Generator, repairs: String) {
        let rows = coefficients(generator, sources: 4, wanted: [4, 5, 6], lost: [], repairs: [])
        let text = rows.map { row in
            (0..<4).map { octet in
                let sum = (0..<4).reduce(UInt8(0)) { $0 ^ SlowField.product(row[$1], UInt8($1 * 4 + octet + 1)) }
                return (sum < 16 ? "0" : "") + String(sum, radix: 16)
            }.joined()
        }
        #expect(text.joined(separator: " ") == repairs)
    }

    @Test(arguments: [(1, 254), (2, 5), (100, 30), (60, 195)])
    func isTheGeneratorOfTheTexts(sources: Int, repairs: Int) {
        let count = min(repairs, 12)
        let wanted = (0..<count).map { UInt8(sources + $0 * repairs / count) }
        for generator in RepairWindows.Generator.allCases {
            let all = sources + repairs
            let vandermonde =
                generator == .peers ? SlowField.peers(sources, all) : SlowField.literal(sources, all)
            let chosen = vandermonde.map { row in Array(row[..<sources]) + wanted.map { row[Int($0)] } }
            let rows = coefficients(generator, sources: sources, wanted: wanted, lost: [], repairs: [])
            #expect(rows == SlowField.repairs(of: chosen))
            if generator == .peers { #expect(rows.allSatisfy { $0.reduce(0, ^) == 1 }) }
        }
    }

    /// Whatever is lost, as long as there are as many repairs: what comes out is what was there.
    @Test(arguments: Effort.seeds(40)) func anySymbolsWillDo(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let sources = Int.random(in: 1...60, using: &random)
        let repairs = Int.random(in: 1...min(60, 255 - sources), using: &random)
        let losses = Int.random(in: 1...min(sources, repairs), using: &random)
        let lost = (0..<UInt8(sources)).shuffled(using: &random).prefix(losses).sorted()
        let used = (UInt8(sources)..<UInt8(sources + repairs)).shuffled(using: &random).prefix(losses)
        let generator: RepairWindows.Generator = seed % 2 == 0 ? .peers : .rfc5510
        let values = (0..<sources).map { _ in UInt8.random(in: 0...255, using: &random) }
        let repairRows = coefficients(generator, sources: sources, wanted: Array(used), lost: [], repairs: [])
        let known =
            values.enumerated().filter { !lost.contains(UInt8($0.offset)) }.map(\.element)
            + repairRows.map { sum($0, values) }
        let rows = coefficients(generator, sources: sources, wanted: lost, lost: lost, repairs: Array(used))
        #expect(rows.map { sum($0, known) } == lost.map { values[Int($0)] })
    }

    @Test func isTheSameAfterWindowsOfAnotherSize() {
        let code = EvaluationCode(.peers)
        for sources in [20, 7, 20, 100, 7] {
            let repairs = [UInt8(sources) + 1, UInt8(sources) + 4]
            let again = coefficients(
                .peers, sources: sources, wanted: [2, 5], lost: [2, 5], repairs: repairs, of: code)
            #expect(again == coefficients(.peers, sources: sources, wanted: [2, 5], lost: [2, 5], repairs: repairs))
        }
    }

    private func sum(_ row: [UInt8], _ values: [UInt8]) -> UInt8 {
        zip(row, values).reduce(0) { $0 ^ SlowField.product($1.0, $1.1) }
    }

    private func coefficients(
        _ generator: RepairWindows.Generator, sources: Int, wanted: [UInt8], lost: [UInt8], repairs: [UInt8],
        of code: EvaluationCode? = nil
    ) -> [[UInt8]] {
        var result = Array(repeating: UInt8(0), count: sources * wanted.count)
        let code = code ?? EvaluationCode(generator)
        result.withUnsafeMutableBufferPointer { result in
            wanted.withUnsafeBufferPointer { wanted in
                lost.withUnsafeBufferPointer { lost in
                    repairs.withUnsafeBufferPointer { repairs in
                        guard let start = result.baseAddress else { return }
                        code.find(wanted, sources: sources, without: lost, with: repairs, into: start)
                    }
                }
            }
        }
        return (0..<wanted.count).map { Array(result[$0 * sources..<($0 + 1) * sources]) }
    }
}
