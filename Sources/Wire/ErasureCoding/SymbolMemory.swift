// SPDX-License-Identifier: Apache-2.0

/// Memory for the symbols of several windows. A symbol begins on a cache line, with `room` octets before it. It may be
/// read and written to the end of its last line and of one more line.
final class SymbolMemory {
    static let line = 64
    /// Octets before each symbol, for a payload id.
    static let room = 64

    private let base: UnsafeMutableRawPointer
    private let stride: Int
    private let symbols: Int

    /// - Parameters:
    ///   - symbols: number of symbols of a window.
    ///   - octets: octets of the longest symbol.
    init(windows: Int, symbols: Int, octets: Int) {
        // An odd number of lines keeps octets of the same offset in different symbols from sharing a few cache sets.
        let lines = (octets + Self.line - 1) / Self.line + 2
        stride = (lines | 1) * Self.line
        self.symbols = symbols
        base = .allocate(byteCount: windows * symbols * stride, alignment: Self.line)
    }

    deinit { base.deallocate() }

    func symbol(_ index: Int, ofWindow window: Int) -> UnsafeMutablePointer<UInt8> {
        (base + (window * symbols + index) * stride + Self.room).assumingMemoryBound(to: UInt8.self)
    }

    /// Octets rounded up to whole lines.
    static func wholeLines(_ octets: Int) -> Int { (octets + line - 1) & ~(line - 1) }
}
