// SPDX-License-Identifier: Apache-2.0
import Glibc
import Media

/// Maps BT.2100 pictures to what an SDR display shows. A table turns each of the three coded values into light; it
/// holds the transfer function and the tone curve of BT.2390 (5.4.1). BT.2020's primaries are converted to BT.709's,
/// and a second table turns light into BT.1886's signal. BT.2408's diffuse white of 203 cd/m² comes out a little below
/// white; 1 000 cd/m² and more come out as white.
/// - Thread: any; shared state is read-only.
struct ToneMap: Sendable {
    static let pq = ToneMap { Self.light(pq: $0) }
    /// As seen on a display of 1 000 cd/m², with BT.2100's system gamma for it applied to each primary alone.
    static let hlg = ToneMap { Self.peak * pow(Self.scene(hlg: $0), 1.2) }

    /// In cd/m²: the brightest input that differs from white, and the brightest output before it is scaled to 1.
    private static let (peak, diffuseWhite) = (1_000.0, 203.0)
    /// Light, indexed by the upper 12 of a value's 16 bits.
    private let light: [Float]

    private init(_ displayed: (Double) -> Double) {
        light = (0..<4_096).map { code in
            let nits = displayed(Double(code) / 4_095)
            return Float(max(0, min(1, Self.compressed(nits) / Self.diffuseWhite)))
        }
    }

    /// - Parameters:
    ///   - source: `count` pixels of red, green, blue, unused; 16 bits each, full range.
    ///   - target: `count` pixels of blue, green, red, unused; 8 bits each.
    func map(_ source: UnsafePointer<UInt16>, count: Int, to target: UnsafeMutablePointer<UInt8>) {
        light.withUnsafeBufferPointer { light in
            Self.signal.withUnsafeBufferPointer { signal in
                for index in stride(from: 0, to: count &* 4, by: 4) {
                    let red = light[Int(source[index] >> 4)]
                    let green = light[Int(source[index &+ 1] >> 4)]
                    let blue = light[Int(source[index &+ 2] >> 4)]
                    // Matrix of BT.2087, clause 2.
                    let narrowRed = 1.660_491 * red - 0.587_641 * green - 0.072_850 * blue
                    let narrowGreen = -0.124_550 * red + 1.132_900 * green - 0.008_350 * blue
                    let narrowBlue = -0.018_151 * red - 0.100_579 * green + 1.118_730 * blue
                    target[index] = signal[Self.index(narrowBlue)]
                    target[index &+ 1] = signal[Self.index(narrowGreen)]
                    target[index &+ 2] = signal[Self.index(narrowRed)]
                    target[index &+ 3] = 0xff
                }
            }
        }
    }

    // MARK: Light to signal

    /// Light is looked up by its exponent and 9 bits of its mantissa, so that dark values are resolved as finely as
    /// bright ones.
    private static let darkest: Float = 1 / 16_777_216
    private static let mantissaShift: UInt32 = 14
    private static let first = darkest.bitPattern >> mantissaShift
    private static let signal: [UInt8] = (first...Float(1).bitPattern >> mantissaShift).map { index in
        let middle = index << mantissaShift | 1 << (mantissaShift - 1)
        return UInt8(max(0, min(255, (255 * pow(Double(Float(bitPattern: middle)), 1 / 2.4)).rounded())))
    }

    private static func index(_ light: Float) -> Int {
        Int(truncatingIfNeeded: (max(darkest, min(1, light)).bitPattern >> mantissaShift) &- first)
    }

    // MARK: The curves

    /// BT.2390's Hermite spline, which compresses `peak` to `diffuseWhite`.
    private static func compressed(_ nits: Double) -> Double {
        let top = code(pq: peak)
        let highest = code(pq: diffuseWhite) / top
        let knee = 1.5 * highest - 0.5
        let value = min(1, code(pq: nits) / top)
        guard value > knee else { return nits }
        let t = (value - knee) / (1 - knee)
        let (t2, t3) = (t * t, t * t * t)
        let spline = (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (3 * t2 - 2 * t3) * highest
        return light(pq: spline * top)
    }

    // BT.2100, table 4.
    private static let (m1, m2) = (2_610.0 / 16_384, 2_523.0 / 32)
    private static let (c1, c2, c3) = (3_424.0 / 4_096, 2_413.0 / 128, 2_392.0 / 128)

    private static func light(pq code: Double) -> Double {
        let root = pow(max(0, code), 1 / m2)
        return 10_000 * pow(max(0, root - c1) / (c2 - c3 * root), 1 / m1)
    }

    private static func code(pq nits: Double) -> Double {
        let power = pow(max(0, nits) / 10_000, m1)
        return pow((c1 + c2 * power) / (1 + c3 * power), m2)
    }

    /// The inverse of the opto-electronic transfer function (BT.2100, table 5).
    private static func scene(hlg code: Double) -> Double {
        code <= 0.5 ? code * code / 3 : (exp((code - 0.559_910_73) / 0.178_832_77) + 0.284_668_92) / 12
    }
}
