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
    /// The tables of 0...255.
    private let ready: UnsafeMutablePointer<UInt8>
    /// Whether tables have 32 octets here: where the processor multiplies in GF(2^8), ISA-L takes 8 for each.
    private let isWide: Bool
    private static let width = 32

    /// - Parameters:
    ///   - columns: most symbols in a sum.
    ///   - rows: most sums.
    init(columns: Int, rows: Int) {
        coefficients = .allocate(capacity: columns * rows)
        sums = .allocate(capacity: rows)
        sums.initialize(repeating: nil, count: rows)
        tables = Self.allocate(columns * rows)
        ready = Self.allocate(256)
        ready.initialize(repeating: 0, count: 256 * Self.width)
        let all = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
        defer { all.deallocate() }
        for coefficient in 0..<256 { all[coefficient] = UInt8(coefficient) }
        ec_init_tables(256, 1, all, ready)
        // The last octet of the last table is its coefficient times 0xF0, which is not 0.
        isWide = ready[256 * Self.width - 1] != 0
    }

    private static func allocate(_ count: Int) -> UnsafeMutablePointer<UInt8> {
        UnsafeMutableRawPointer.allocate(byteCount: count * width, alignment: 64)
            .bindMemory(to: UInt8.self, capacity: count * width)
    }

    deinit {
        coefficients.deallocate()
        sums.deallocate()
        tables.deallocate()
        ready.deallocate()
    }

    /// Takes on the coefficients. To look their tables up takes a ninth of the time in which ISA-L makes them.
    func prepare(columns: Int, rows: Int) {
        guard isWide else { return ec_init_tables(CInt(columns), CInt(rows), coefficients, tables) }
        let from = UnsafeRawPointer(ready)
        let to = UnsafeMutableRawPointer(tables)
        for index in 0..<columns * rows {
            let table = from.load(fromByteOffset: Int(coefficients[index]) * Self.width, as: SIMD32<UInt8>.self)
            to.storeBytes(of: table, toByteOffset: index * Self.width, as: SIMD32<UInt8>.self)
        }
    }

    /// Adds one symbol to every sum. Symbol after symbol takes less time than sum after sum: the sums stay in the cache.
    /// - Parameter octets: of the symbol, a multiple of 64.
    func add(_ symbol: Symbol, column: Int, columns: Int, rows: Int, octets: Int) {
        ec_encode_data_update(CInt(octets), CInt(columns), CInt(rows), CInt(column), tables, symbol, sums)
    }
}
