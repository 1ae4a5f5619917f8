// SPDX-License-Identifier: Apache-2.0
import Conversion
import Media
import Scene
import Typesetting

/// A moving picture that shows at a glance, and to a program, whether a channel arrives: colour bars, a running block,
/// the channel's name, a clock, the frame number in digits and as `FrameCounterCode`, and a flash each second together
/// with the beep of `TestTone`. It depends on the frame number and the texts alone.
/// - Thread: the one that owns it.
public struct TestCard: ~Copyable {
    public static let smallest = PixelSize(width: 320, height: 180)

    private let layout: TestCardLayout
    private let rate: (numerator: Int64, denominator: Int64)
    private let canvas: CanvasBuffer
    private let picture: PictureBuffer
    private var converter: VideoConverter
    private var text: TextRenderer

    /// - Parameters:
    ///   - size: even numbers, at least `smallest`.
    ///   - rate: pictures per second.
    ///   - name: name of the channel.
    public init(size: PixelSize, rate: (numerator: Int, denominator: Int), name: String) throws {
        precondition(size.width >= Self.smallest.width && size.height >= Self.smallest.height)
        let layout = TestCardLayout(size: size)
        var text = try TextRenderer()
        var converter = VideoConverter(quality: .accurate)
        let canvas = CanvasBuffer(width: size.width, height: size.height)
        let picture = PictureBuffer(width: size.width, height: size.height)
        layout.drawBars(on: canvas)
        let title = Text(name, x: size.width / 2, y: layout.title, anchor: .top, style: layout.titleStyle)
        try text.draw([title], on: canvas)
        try converter.convert(canvas, to: picture, matrix: layout.matrix)
        self.rate = (Int64(rate.numerator), Int64(rate.denominator))
        self.layout = layout
        self.canvas = canvas
        self.picture = picture
        self.converter = converter
        self.text = text
    }

    /// Draws the card of one frame and passes it to `body`; the picture is valid during the call.
    /// - Parameter clock: text that is shown as it is.
    public mutating func draw(
        _ number: Int64, clock: String, _ body: (borrowing PictureBuffer) throws -> Void
    ) throws {
        FrameCounterCode.write(UInt32(truncatingIfNeeded: number), to: picture)
        drawBlock(number)
        try drawTexts(number, clock: clock)
        try body(picture)
    }

    /// Whether the frame begins within the first 40 ms of a second.
    func isFlash(_ number: Int64) -> Bool {
        number * rate.denominator * 1_000 / rate.numerator % 1_000 < Int64(TestTone.milliseconds)
    }

    private func drawBlock(_ number: Int64) {
        let band = layout.band
        picture.fillLuma(x: 0, y: band.lowerBound, width: canvas.width, height: band.count, 16)
        let width = band.count & ~1
        let place = Int(number % Int64((canvas.width - width) / 4)) * 4
        picture.fillLuma(x: place, y: band.lowerBound, width: width, height: band.count, isFlash(number) ? 16 : 180)
        guard isFlash(number) else { return }
        picture.fillLuma(x: 0, y: band.lowerBound, width: place, height: band.count, 235)
        picture.fillLuma(x: place + width, y: band.lowerBound, width: canvas.width, height: band.count, 235)
    }

    private mutating func drawTexts(_ number: Int64, clock: String) throws {
        let rows = layout.texts
        UnsafeMutableRawBufferPointer(
            rebasing: canvas.bytes[rows.lowerBound * canvas.stride..<rows.upperBound * canvas.stride]
        ).initializeMemory(as: UInt8.self, repeating: 0)
        let (left, right) = (layout.margin, canvas.width - layout.margin)
        try text.draw(
            [
                Text(clock, x: left, y: rows.lowerBound, style: layout.counterStyle),
                Text("\(number)", x: right, y: rows.lowerBound, anchor: .topRight, style: layout.counterStyle),
            ], on: canvas)
        try converter.convert(canvas, rows: rows, to: picture, matrix: layout.matrix)
    }
}
