// SPDX-License-Identifier: Apache-2.0
internal import CLibISAL

/// Sums of symbols with coefficients of GF(2^8), computed by ISA-L. ISA-L's generator matrices are not used: peers use
/// neither form, and they cannot repair every loss at every size.
///
/// It is used by one thread at a time. All memory is allocated in `init`.
final class SymbolArithmetic {
    typealias Symbol = UnsafeMutablePointer<UInt8>

    /// A row of coefficients for each sum; the caller fills it before `prepare`.
    let coefficients: UnsafeMutablePointer<UInt8>
    /// Addresses of the sums; the caller sets them before `add`.
    let sums: UnsafeMutablePointer<Symbol?>
    /// The coefficients in ISA-L's form, at most 32 octets each.
    private let tables: UnsafeMutablePointer<UInt8>
    /// The tables of all coefficients 0...255.
    private let ready: UnsafeMutablePointer<UInt8>
    /// Whether tables have 32 octets. On a processor that multiplies in GF(2^8), ISA-L uses 8 octets for each.
    private let isWide: Bool
    private static let width = 32

    /// - Parameters:
    ///   - columns: largest number of symbols in a sum.
    ///   - rows: largest number of sums.
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

    /// Sets the tables of the coefficients. Looking them up takes a ninth of the time in which ISA-L makes them.
    func prepare(columns: Int, rows: Int) {
        guard isWide else { return ec_init_tables(CInt(columns), CInt(rows), coefficients, tables) }
        let from = UnsafeRawPointer(ready)
        let to = UnsafeMutableRawPointer(tables)
        for index in 0..<columns * rows {
            let table = from.load(fromByteOffset: Int(coefficients[index]) * Self.width, as: SIMD32<UInt8>.self)
            to.storeBytes(of: table, toByteOffset: index * Self.width, as: SIMD32<UInt8>.self)
        }
    }

    /// Adds one symbol to every sum. Going symbol by symbol is faster than sum by sum, because the sums stay in the
    /// cache.
    /// - Parameter octets: octets of the symbol, a multiple of 64.
    func add(_ symbol: Symbol, column: Int, columns: Int, rows: Int, octets: Int) {
        ec_encode_data_update(CInt(octets), CInt(columns), CInt(rows), CInt(column), tables, symbol, sums)
    }
}
