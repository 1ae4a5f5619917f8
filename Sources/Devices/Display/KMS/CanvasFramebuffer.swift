// SPDX-License-Identifier: Apache-2.0
import Media
import Scene

/// Memory that a card can show, and we can write. Reading it is slow on many cards. Given back with the last who holds it.
final class CanvasFramebuffer: ScanoutBuffer {
    let size: PixelSize
    /// What the card knows it by.
    let framebuffer: UInt32
    /// The same with its opacity, for a plane above others; 0: there is none.
    let blendedFramebuffer: UInt32
    private let pitch: Int
    private let memory: UnsafeMutableRawBufferPointer
    private let giveBack: () -> Void

    /// - Parameter memory: at least `pitch` octets for each row.
    init(
        _ size: PixelSize, framebuffer: UInt32, blendedFramebuffer: UInt32 = 0, pitch: Int,
        memory: UnsafeMutableRawBufferPointer,
        giveBack: @escaping () -> Void
    ) {
        precondition(pitch >= size.width * 4 && memory.count >= pitch * size.height)
        self.size = size
        self.framebuffer = framebuffer
        self.blendedFramebuffer = blendedFramebuffer
        self.pitch = pitch
        self.memory = memory
        self.giveBack = giveBack
        memory.initializeMemory(as: UInt8.self, repeating: 0)
    }

    deinit { giveBack() }

    /// What of the canvas fits, in the middle.
    /// - Parameter hole: where the canvas has opacities; all else is opaque, whatever it says. Nil: they are of no matter.
    func write(_ canvas: borrowing CanvasBuffer, hole: PixelRectangle? = nil) {
        let (width, height) = (min(canvas.width, size.width), min(canvas.height, size.height))
        let (left, top) = ((size.width - width) / 2, (size.height - height) / 2)
        let (fromLeft, fromTop) = ((canvas.width - width) / 2, (canvas.height - height) / 2)
        guard let base = memory.baseAddress, let pixels = canvas.bytes.baseAddress else { return }
        for row in 0..<height {
            let target = (top + row) * pitch + left * 4
            let source = (fromTop + row) * canvas.stride + fromLeft * 4
            guard let hole else {
                UnsafeMutableRawBufferPointer(rebasing: memory[target..<target + width * 4])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: canvas.bytes[source..<source + width * 4]))
                continue
            }
            let isBeside = fromTop + row < hole.y || fromTop + row >= hole.y + hole.size.height
            let clear = isBeside ? 0..<0 : hole.columns(from: fromLeft, count: width)
            let to = (base + target).assumingMemoryBound(to: UInt32.self)
            let from = UnsafeRawPointer(pixels + source).assumingMemoryBound(to: UInt32.self)
            for column in 0..<clear.lowerBound { to[column] = from[column] | 0xff00_0000 }
            (to + clear.lowerBound).update(from: from + clear.lowerBound, count: clear.count)
            for column in clear.upperBound..<width { to[column] = from[column] | 0xff00_0000 }
        }
    }

    /// Octets of the pixel in the upper left corner: blue, green, red, none.
    var firstPixel: [UInt8] { Array(memory.prefix(4)) }
}

extension PixelRectangle {
    /// Those of its columns that are among these, counted from the first of them; of width 0 at one end when none are.
    fileprivate func columns(from first: Int, count: Int) -> Range<Int> {
        let low = max(0, min(count, x - first))
        return low..<max(low, min(count, x + size.width - first))
    }
}
