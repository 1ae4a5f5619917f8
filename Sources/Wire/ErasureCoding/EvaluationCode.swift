// SPDX-License-Identifier: Apache-2.0
import Venue

/// The Reed–Solomon code as values of a polynomial over GF(2^8) (0x11d): the symbols of a window are its values at the
/// points of their ESIs, its degree is below k. So each symbol is a sum of any k others with Lagrange's coefficients,
/// which need no matrix to be inverted, neither k × k nor lost × lost, and depend on k and the ESIs alone.
///
/// One thread at a time. All memory is taken in `init`.
final class EvaluationCode {
    /// α^n, twice over.
    private let powers = UnsafeMutablePointer<UInt8>.allocate(capacity: 510)
    /// Of 1...255.
    private let logarithms = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
    /// By ESI, 0...254.
    private let points = UnsafeMutablePointer<UInt8>.allocate(capacity: 255)
    /// By ESI: logarithm of the product of the differences to the points of the other sources.
    private let weights = UnsafeMutablePointer<Int>.allocate(capacity: 255)
    private var weighted = 0
    /// By row: logarithm of the product of the differences to all known points.
    private let products = UnsafeMutablePointer<Int>.allocate(capacity: 255)

    init(_ generator: RepairWindows.Generator) {
        weights.initialize(repeating: 0, count: 255)
        products.initialize(repeating: 0, count: 255)
        logarithms.initialize(repeating: 0, count: 256)
        var power = 1
        for exponent in 0..<255 {
            powers[exponent] = UInt8(power)
            powers[exponent + 255] = UInt8(power)
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
        products.deallocate()
    }

    /// How the `wanted` symbols come of the known ones: all sources but the lost, rising, and as many repairs as are lost.
    /// - Parameters:
    ///   - count: k, 1...254.
    ///   - wanted: ESIs, none of them known.
    ///   - lost: ESIs of sources, rising.
    ///   - repairs: ESIs, as many as `lost`.
    ///   - coefficients: a row of k for each wanted symbol.
    func find(
        _ wanted: UnsafeBufferPointer<UInt8>, sources count: Int, without lost: UnsafeBufferPointer<UInt8>,
        with repairs: UnsafeBufferPointer<UInt8>, into coefficients: UnsafeMutablePointer<UInt8>
    ) {
        precondition(lost.count == repairs.count && (1...254).contains(count))
        weigh(count)
        for (row, symbol) in wanted.enumerated() {
            var product = 0
            for source in 0..<count where UInt8(source) != symbol { product += difference(Int(symbol), source) }
            for source in lost where source != symbol { product -= difference(Int(symbol), Int(source)) }
            for repair in repairs { product += difference(Int(symbol), Int(repair)) }
            products[row] = product
        }
        var column = 0
        var nextLost = 0
        for source in 0..<count {
            if nextLost < lost.count, Int(lost[nextLost]) == source {
                nextLost += 1
                continue
            }
            var weight = weights[source]
            for index in 0..<lost.count {
                weight += difference(source, Int(repairs[index])) - difference(source, Int(lost[index]))
            }
            fill(column, of: count, for: source, weight: weight, wanted, coefficients)
            column += 1
        }
        for repair in repairs {
            var weight = 0
            for source in 0..<count { weight += difference(Int(repair), source) }
            for source in lost { weight -= difference(Int(repair), Int(source)) }
            for other in repairs where other != repair { weight += difference(Int(repair), Int(other)) }
            fill(column, of: count, for: Int(repair), weight: weight, wanted, coefficients)
            column += 1
        }
    }

    private func fill(
        _ column: Int, of count: Int, for known: Int, weight: Int, _ wanted: UnsafeBufferPointer<UInt8>,
        _ coefficients: UnsafeMutablePointer<UInt8>
    ) {
        for row in 0..<wanted.count {
            let exponent = (products[row] - weight - difference(Int(wanted[row]), known)) % 255
            coefficients[row * count + column] = powers[exponent < 0 ? exponent + 255 : exponent]
        }
    }

    private func weigh(_ count: Int) {
        guard weighted != count else { return }
        weighted = count
        for source in 0..<count {
            var weight = 0
            for other in 0..<count where other != source { weight += difference(source, other) }
            weights[source] = weight
        }
    }

    /// Logarithm of the difference of two points, of different ESIs.
    private func difference(_ left: Int, _ right: Int) -> Int {
        Int(logarithms[Int(points[left] ^ points[right])])
    }
}
