// SPDX-License-Identifier: Apache-2.0
import Media
import Scene

/// Memory that a card can show, and we can write. Reading it is slow on many cards. Given back with the last who holds it.
final class KMSBuffer: ScanoutBuffer {
    let size: PixelSize
    /// What the card knows it by.
    let frame: UInt32
    private let pitch: Int
    private let memory: UnsafeMutableRawBufferPointer
    private let giveBack: () -> Void

    /// - Parameter memory: at least `pitch` octets for each row.
    init(
        _ size: PixelSize, frame: UInt32, pitch: Int, memory: UnsafeMutableRawBufferPointer,
        giveBack: @escaping () -> Void
    ) {
        precondition(pitch >= size.width * 4 && memory.count >= pitch * size.height)
        self.size = size
        self.frame = frame
        self.pitch = pitch
        self.memory = memory
        self.giveBack = giveBack
        memory.initializeMemory(as: UInt8.self, repeating: 0)
    }

    deinit { giveBack() }

    /// What of the canvas fits, in the middle.
    func write(_ canvas: borrowing CanvasBuffer) {
        let (width, height) = (min(canvas.width, size.width), min(canvas.height, size.height))
        let (left, top) = ((size.width - width) / 2, (size.height - height) / 2)
        let (fromLeft, fromTop) = ((canvas.width - width) / 2, (canvas.height - height) / 2)
        for row in 0..<height {
            let target = (top + row) * pitch + left * 4
            let source = (fromTop + row) * canvas.stride + fromLeft * 4
            UnsafeMutableRawBufferPointer(rebasing: memory[target..<target + width * 4])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: canvas.bytes[source..<source + width * 4]))
        }
    }

    /// Octets of the pixel in the upper left corner: blue, green, red, none.
    var firstPixel: [UInt8] { Array(memory.prefix(4)) }
}
