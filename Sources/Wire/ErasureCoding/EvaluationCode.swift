// SPDX-License-Identifier: Apache-2.0
import Venue

/// The Reed–Solomon code as the evaluation of a polynomial over GF(2^8) (0x11d). The polynomial of a window of k source
/// symbols has a degree below k. Its value at the point of an encoding symbol id (ESI) is that symbol. Any k symbols
/// therefore give each other symbol, as their sum with Lagrange's coefficients. The coefficients depend only on k and
/// the ESIs, so that no matrix is inverted.
///
/// It is used by one thread at a time. All memory is allocated in `init`.
final class EvaluationCode {
    /// Powers of α, α^0...α^254, three times in a row.
    private let powers = UnsafeMutablePointer<UInt8>.allocate(capacity: 3 * order)
    /// Logarithms of 1...255. The entry of 0 is 0, so that a product of differences to some points ignores the point
    /// itself.
    private let logarithms = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
    /// Points by ESI, 0...254.
    private let points = UnsafeMutablePointer<UInt8>.allocate(capacity: 255)
    /// By ESI: logarithm of the product of the differences to the points of the source symbols; -1 until it is
    /// computed.
    private let weights = UnsafeMutablePointer<Int>.allocate(capacity: 255)
    /// The k for which `weights` holds.
    private var weighted = 0
    /// By column: the point of a known symbol, and the logarithm of the product of its differences to the others.
    private let knownPoints = UnsafeMutablePointer<UInt8>.allocate(capacity: 255)
    private let knownProducts = UnsafeMutablePointer<Int>.allocate(capacity: 255)
    /// Multiplicative order of α.
    private static let order = 255

    init(_ generator: RepairWindows.Generator) {
        weights.initialize(repeating: -1, count: 255)
        knownPoints.initialize(repeating: 0, count: 255)
        knownProducts.initialize(repeating: 0, count: 255)
        logarithms.initialize(repeating: 0, count: 256)
        var power = 1
        for exponent in 0..<Self.order {
            for turn in 0..<3 { powers[exponent + turn * Self.order] = UInt8(power) }
            logarithms[power] = UInt8(exponent)
            power = power & 0x80 == 0 ? power << 1 : power << 1 ^ 0x11D
        }
        for symbol in 0..<255 {
            switch generator {
            case .peers: points[symbol] = symbol == 0 ? 0 : powers[symbol - 1]
            case .rfc5510: points[symbol] = powers[symbol]
            }
        }
    }

    deinit {
        powers.deallocate()
        logarithms.deallocate()
        points.deallocate()
        weights.deallocate()
        knownPoints.deallocate()
        knownProducts.deallocate()
    }

    /// Finds the coefficients by which the `wanted` symbols are sums of the known ones. The known symbols are all
    /// source symbols but the lost ones, in ascending order, and then as many repair symbols as are lost.
    /// - Parameters:
    ///   - count: k, 1...254.
    ///   - wanted: ESIs of the wanted symbols, none of them known.
    ///   - lost: ESIs of the lost source symbols, ascending.
    ///   - repairs: ESIs of repair symbols, as many as `lost`.
    ///   - coefficients: becomes a row of k coefficients for each wanted symbol.
    func find(
        _ wanted: UnsafeBufferPointer<UInt8>, sources count: Int, without lost: UnsafeBufferPointer<UInt8>,
        with repairs: UnsafeBufferPointer<UInt8>, into coefficients: UnsafeMutablePointer<UInt8>
    ) {
        precondition(lost.count == repairs.count && (1...254).contains(count))
        if weighted != count {
            weighted = count
            weights.update(repeating: -1, count: 255)
        }
        var column = 0
        func know(_ symbol: Int) {
            knownPoints[column] = points[symbol]
            knownProducts[column] = product(symbol, lost, repairs)
            column += 1
        }
        var nextLost = 0
        for source in 0..<count {
            if nextLost < lost.count, Int(lost[nextLost]) == source {
                nextLost += 1
            } else {
                know(source)
            }
        }
        for repair in repairs { know(Int(repair)) }
        for (row, symbol) in wanted.enumerated() {
            let point = points[Int(symbol)]
            // Two logarithms are subtracted from it below.
            let exponent = product(Int(symbol), lost, repairs) + 2 * Self.order
            let start = coefficients + row * count
            for column in 0..<count {
                let difference = Int(logarithms[Int(point ^ knownPoints[column])])
                start[column] = powers[exponent - knownProducts[column] - difference]
            }
        }
    }

    /// Logarithm, 0..<255, of the product of a symbol's differences to all known symbols except itself.
    private func product(
        _ symbol: Int, _ lost: UnsafeBufferPointer<UInt8>, _ repairs: UnsafeBufferPointer<UInt8>
    ) -> Int {
        if weights[symbol] < 0 {
            weights[symbol] = (0..<weighted).reduce(0) { $0 + difference(symbol, $1) } % Self.order
        }
        var sum = weights[symbol] + Self.order * lost.count
        for index in 0..<lost.count {
            sum += difference(symbol, Int(repairs[index])) - difference(symbol, Int(lost[index]))
        }
        return sum % Self.order
    }

    /// Logarithm of the difference of two points; 0 for a point and itself.
    private func difference(_ left: Int, _ right: Int) -> Int {
        Int(logarithms[Int(points[left] ^ points[right])])
    }
}
