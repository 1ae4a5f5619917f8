// SPDX-License-Identifier: Apache-2.0
internal import CLibISAL

/// Sums of symbols with coefficients of GF(2^8), by ISA-L. Its generator matrices are not used: they are neither form
/// that peers have, and do not repair every loss at every size.
///
/// One thread at a time. All memory is taken in `init`.
final class SymbolArithmetic {
    typealias Symbol = UnsafeMutablePointer<UInt8>

    /// A row of coefficients for each sum, to be filled before `prepare`.
    let coefficients: UnsafeMutablePointer<UInt8>
    /// Where the sums are made; to be filled before `add`.
    let sums: UnsafeMutablePointer<Symbol?>
    /// ISA-L's own form of the coefficients, 32 octets each at most.
    private let tables: UnsafeMutablePointer<UInt8>

    /// - Parameters:
    ///   - columns: most symbols in a sum.
    ///   - rows: most sums.
    init(columns: Int, rows: Int) {
        coefficients = .allocate(capacity: columns * rows)
        sums = .allocate(capacity: rows)
        sums.initialize(repeating: nil, count: rows)
        let octets = UnsafeMutableRawPointer.allocate(byteCount: columns * rows * 32, alignment: 64)
        tables = octets.bindMemory(to: UInt8.self, capacity: columns * rows * 32)
    }

    deinit {
        coefficients.deallocate()
        sums.deallocate()
        tables.deallocate()
    }

    /// Takes on the coefficients.
    func prepare(columns: Int, rows: Int) {
        ec_init_tables(CInt(columns), CInt(rows), coefficients, tables)
    }

    /// Adds one symbol to every sum. Symbol after symbol takes less time than sum after sum: the sums stay in the cache.
    /// - Parameter octets: of the symbol, a multiple of 64.
    func add(_ symbol: Symbol, column: Int, columns: Int, rows: Int, octets: Int) {
        ec_encode_data_update(CInt(octets), CInt(columns), CInt(rows), CInt(column), tables, symbol, sums)
    }
}
