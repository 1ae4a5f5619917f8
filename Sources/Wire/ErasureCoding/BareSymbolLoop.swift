// SPDX-License-Identifier: Apache-2.0
internal import CLibISAL
import Venue

/// ISA-L's own loop over symbols in memory, as a reference for benchmarks.
package final class BareSymbolLoop {
    private let columns: Int
    private let rows: Int
    private let octets: Int
    private let coefficients: UnsafeMutablePointer<UInt8>
    private let tables: UnsafeMutablePointer<UInt8>
    private let symbols: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>
    private let memory: SymbolMemory

    /// - Parameters:
    ///   - columns: number of symbols in a sum, k.
    ///   - rows: number of sums.
    package init(columns: Int, rows: Int, octets: Int) {
        self.columns = columns
        self.rows = rows
        self.octets = octets
        coefficients = .allocate(capacity: columns * rows)
        for index in 0..<columns * rows { coefficients[index] = UInt8(truncatingIfNeeded: index % 255 + 1) }
        tables = .allocate(capacity: columns * rows * 32)
        symbols = .allocate(capacity: columns + rows)
        memory = SymbolMemory(windows: 1, symbols: columns + rows, octets: octets)
        for index in 0..<columns + rows {
            let symbol = memory.symbol(index, ofWindow: 0)
            symbol.update(repeating: UInt8(truncatingIfNeeded: index), count: octets)
            symbols[index] = symbol
        }
        ec_init_tables(CInt(columns), CInt(rows), coefficients, tables)
    }

    deinit {
        coefficients.deallocate()
        tables.deallocate()
        symbols.deallocate()
    }

    /// Makes the repair symbols of one window, with tables that exist already.
    package func encode() -> UInt64 {
        ec_encode_data(CInt(octets), CInt(columns), CInt(rows), tables, symbols, symbols + columns)
        return UInt64(symbols[columns]?[0] ?? 0)
    }

    /// Recovers as many lost packets of one window as there are rows, including the making of its tables, which no
    /// other window shares.
    package func recover() -> UInt64 {
        ec_init_tables(CInt(columns), CInt(rows), coefficients, tables)
        return encode()
    }
}
