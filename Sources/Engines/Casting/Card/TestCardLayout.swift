// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Typesetting

/// Positions of the parts of a test card, from the top: frame counter code, bars, running block, name, clock and
/// number.
struct TestCardLayout {
    let size: PixelSize
    /// Rows of the colour bars.
    let bars: Range<Int>
    /// Rows in which the block runs.
    let band: Range<Int>
    /// First row of the channel's name.
    let title: Int
    /// Rows of clock and number.
    let texts: Range<Int>

    init(size: PixelSize) {
        self.size = size
        func row(_ percent: Int) -> Int { size.height * percent / 100 & ~1 }
        bars = FrameCounterCode.rows..<row(56)
        band = row(56)..<row(68)
        title = row(70)
        texts = row(85)..<row(97)
    }

    var margin: Int { size.width / 40 }
    var titleStyle: TextStyle { TextStyle(height: size.height * 13 / 100, isBold: true) }
    var counterStyle: TextStyle { TextStyle(.mono, height: texts.count * 9 / 10) }
    /// The matrix that `VideoEncoder` signals in the stream.
    var matrix: VideoFrame.Matrix { size.height >= 720 ? .bt709 : .bt601 }

    /// Draws colour bars of 75 % in the order of their luma.
    func drawBars(on canvas: borrowing CanvasBuffer) {
        for row in bars {
            for column in 0..<size.width {
                let pixel = ColourBars.colour(ofColumn: column, of: size.width)
                canvas.bytes.storeBytes(
                    of: pixel.littleEndian, toByteOffset: row * canvas.stride + column * 4, as: UInt32.self)
            }
        }
    }
}
