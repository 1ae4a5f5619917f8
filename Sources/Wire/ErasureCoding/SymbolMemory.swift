// SPDX-License-Identifier: Apache-2.0

/// Room for the symbols of some windows. A symbol begins on a cache line, with `room` octets before it, and may be read
/// and written to the end of the line that it ends in and one more.
final class SymbolMemory {
    static let line = 64
    /// For a payload id.
    static let room = 64

    private let base: UnsafeMutableRawPointer
    private let stride: Int
    private let symbols: Int

    /// - Parameters:
    ///   - symbols: of a window.
    ///   - octets: of the longest symbol.
    init(windows: Int, symbols: Int, octets: Int) {
        // An odd number of lines, so that equal octets of symbols do not all fall into the same few lines of the cache.
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
