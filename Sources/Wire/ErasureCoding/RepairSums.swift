// SPDX-License-Identifier: Apache-2.0
import Venue

/// Computes the repair symbols of windows with the same number of packets, packet by packet.
final class RepairSums {
    private let arithmetic: SymbolArithmetic
    private let code: EvaluationCode
    private let symbols: UnsafeMutableBufferPointer<UInt8>
    private let first: Int
    private var sources = 0
    private var repairs = 0

    init(_ windows: RepairWindows, code: EvaluationCode) {
        self.code = code
        first = windows.sourcePackets
        arithmetic = SymbolArithmetic(columns: windows.sourcePackets, rows: windows.repairPackets)
        symbols = .allocate(capacity: windows.repairPackets)
        symbols.initialize(repeating: 0)
    }

    deinit { symbols.deallocate() }

    /// - Parameters:
    ///   - count: k, 1...`sourcePackets`.
    ///   - repairs: number of repair symbols, 1...`repairPackets`.
    func prepare(sources count: Int, repairs: Int) {
        guard count != sources || repairs != self.repairs else { return }
        sources = count
        self.repairs = repairs
        for index in 0..<repairs { symbols[index] = UInt8(count + index) }
        let none = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
        code.find(
            UnsafeBufferPointer(rebasing: symbols[..<repairs]), sources: count, without: none, with: none,
            into: arithmetic.coefficients)
        arithmetic.prepare(columns: count, rows: repairs)
    }

    /// Adds a packet's symbol to all repair symbols of its window.
    /// - Parameter octets: octets of the symbol, a multiple of 64.
    func add(
        _ symbol: UnsafeMutablePointer<UInt8>, _ number: Int, octets: Int, _ memory: SymbolMemory, window: Int
    ) {
        for index in 0..<repairs { arithmetic.sums[index] = memory.symbol(first + index, ofWindow: window) }
        arithmetic.add(symbol, column: number, columns: sources, rows: repairs, octets: octets)
    }
}
