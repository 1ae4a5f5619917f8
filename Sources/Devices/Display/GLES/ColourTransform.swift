// SPDX-License-Identifier: Apache-2.0
import Media

/// Turns a picture's samples into red, green and blue of 0...1.
struct ColourTransform {
    let luma: SIMD3<Float>
    let blue: SIMD3<Float>
    let red: SIMD3<Float>
    let offset: SIMD3<Float>
    /// The chroma sample of grey.
    let neutral: Float
    /// The highest sample.
    let highest: Float

    init(_ layout: SampleLayout, matrix: VideoFrame.Matrix, isFullRange: Bool) {
        // BT.601, 2.5.1; BT.709, 3.2; BT.2020, table 4: the weights of red and blue in luma.
        let (kr, kb): (Float, Float) =
            switch matrix {
            case .bt601: (0.299, 0.114)
            case .bt709: (0.2126, 0.0722)
            case .bt2020: (0.2627, 0.0593)
            }
        let kg = 1 - kr - kb
        let step = Float(layout.unit << (layout.bits - 8))
        let full = Float(layout.unit * (1 << layout.bits - 1))
        let (black, lumaSpan, chromaSpan) = isFullRange ? (0, full, full) : (16 * step, 219 * step, 224 * step)
        neutral = 128 * step
        highest = full
        luma = SIMD3(repeating: 1 / lumaSpan)
        blue = SIMD3(0, -2 * kb * (1 - kb) / kg, 2 * (1 - kb)) / chromaSpan
        red = SIMD3(2 * (1 - kr), -2 * kr * (1 - kr) / kg, 0) / chromaSpan
        offset = -(luma * black + (blue + red) * neutral)
    }
}
