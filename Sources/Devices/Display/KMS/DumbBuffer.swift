// SPDX-License-Identifier: Apache-2.0
internal import CLibDRM
import Glibc
import Media
import Scene

/// Memory that a card can show, and we can write. Reading it is slow on many cards.
final class DumbBuffer {
    private let card: KMSCard
    private let size: PixelSize
    private var handle: UInt32 = 0
    private var pitch: UInt32 = 0
    private var memory: UnsafeMutableRawBufferPointer?
    /// What the card knows it by.
    private(set) var frame: UInt32 = 0

    /// Black.
    init(_ card: KMSCard, size: PixelSize) throws(DisplayError) {
        self.card = card
        self.size = size
        let descriptor = card.descriptor
        let (width, height) = (UInt32(size.width), UInt32(size.height))
        var octets: UInt64 = 0
        try KMSCard.check(
            "create dumb buffer",
            drmModeCreateDumbBuffer(descriptor, width, height, 32, 0, &handle, &pitch, &octets))
        try KMSCard.check(
            "add frame buffer",
            drmModeAddFB2(
                descriptor, width, height, tl_drm_xrgb8888, [handle, 0, 0, 0], [pitch, 0, 0, 0], [0, 0, 0, 0], &frame,
                0))
        var offset: UInt64 = 0
        try KMSCard.check("map dumb buffer", drmModeMapDumbBuffer(descriptor, handle, &offset))
        guard Int(pitch) >= size.width * 4, octets >= UInt64(pitch) * UInt64(height),
            let mapped = mmap(nil, Int(octets), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, off_t(offset)),
            mapped != MAP_FAILED
        else { throw .kms("mmap", code: errno) }
        let memory = UnsafeMutableRawBufferPointer(start: mapped, count: Int(octets))
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        self.memory = memory
    }

    deinit {
        if let memory { munmap(memory.baseAddress, memory.count) }
        if frame != 0 { drmModeRmFB(card.descriptor, frame) }
        if handle != 0 { drmModeDestroyDumbBuffer(card.descriptor, handle) }
    }

    /// What of the canvas fits, in the middle.
    func write(_ canvas: borrowing CanvasBuffer) {
        guard let memory else { return }
        let (width, height) = (min(canvas.width, size.width), min(canvas.height, size.height))
        let (left, top) = ((size.width - width) / 2, (size.height - height) / 2)
        let (fromLeft, fromTop) = ((canvas.width - width) / 2, (canvas.height - height) / 2)
        for row in 0..<height {
            let target = (top + row) * Int(pitch) + left * 4
            let source = (fromTop + row) * canvas.stride + fromLeft * 4
            UnsafeMutableRawBufferPointer(rebasing: memory[target..<target + width * 4])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: canvas.bytes[source..<source + width * 4]))
        }
    }
}
