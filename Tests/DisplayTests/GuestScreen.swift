// SPDX-License-Identifier: Apache-2.0
import Foundation
import Media
import Scene
import System
import TestSupport
import Testing
import Time

@testable import Display

/// The screen of `vkms`, driven, and what it sends read back: by its writeback connector, which writes what its
/// composer makes of all planes into a buffer, and as sums.
final class GuestScreen {
    /// Linux 6.12's shows RGB alone.
    static let hasVideoPlanes: Bool = {
        guard Guest.isHere, let card = try? AtomicCard(opening: "/dev/dri/card0") else { return false }
        let code = VideoFrame.PixelFormat.nv12.fourCC
        let has = card.planes.contains { $0.kind == .overlay && $0.formats.contains { $0 == code } }
        if !has { print("SKIP: this kernel's vkms has no planes for videos: none was shown on one") }
        return has
    }()

    let driver: ScreenDriver
    let card: AtomicCard
    let size: PixelSize
    private let crtc: UInt32
    private let writeback: UInt32
    private let buffer: ReadableBuffer

    init(_ size: PixelSize, mounting: ScreenMounting = ScreenMounting()) throws {
        self.size = size
        var search = CardSearch()
        let snapshot = try search.probe(for: nil)
        card = try #require(snapshot.device as? AtomicCard)
        // It is told of to who asks for it, and would be driven as any other if we did so longer.
        try Self.control(card, 0x4010_640d, [5, 1])  // DRM_CLIENT_CAP_WRITEBACK_CONNECTORS
        let all = try card.readConnectors(probes: false)
        try Self.control(card, 0x4010_640d, [5, 0])
        let found = try #require(all.first { $0.name.hasPrefix("Writeback") })
        (writeback, crtc) = (found.id, try #require(found.crtcs.first))
        buffer = try ReadableBuffer(size, on: card)
        driver = ScreenDriver(
            ModeRequest(size: size, mounting: mounting, pin: .size(size, nil)), clock: SystemClock.monotonic,
            poll: { _ in })
        driver.take(.snapshot(snapshot))
        let limit = SystemClock.monotonic() + .seconds(20)
        while driver.status.connector == nil, SystemClock.monotonic() < limit {
            _ = driver.attend(now: SystemClock.monotonic())
            SystemClock.sleep(until: SystemClock.monotonic() + .milliseconds(5))
        }
        try #require(driver.mode?.size == size)
    }

    /// As the render loop.
    /// - Parameter stage: transparent where the video is to be seen; nil: as it was.
    /// - Returns: what the video covers; nil: it was not shown.
    @discardableResult func present(
        _ picture: borrowing VideoFrame, isNew: Bool = true, crop: PixelRectangle? = nil,
        at place: PixelRectangle? = nil,
        under stage: borrowing CanvasBuffer
    ) -> PixelRectangle? {
        let whole = PixelRectangle(x: 0, y: 0, size: PixelSize(width: picture.width, height: picture.height))
        let area = driver.show(picture, isNew: isNew, crop: crop ?? whole, at: place ?? whole)
        finish(stage)
        return area
    }

    /// Without a video.
    func present(_ stage: borrowing CanvasBuffer) {
        driver.hideVideo()
        finish(stage)
    }

    private func finish(_ stage: borrowing CanvasBuffer) {
        driver.compose { stage.copyTo($0) }
        let last = driver.lastVBlank
        _ = driver.present(now: SystemClock.monotonic())
        // The flip before is not done while its composer is at work for a sum or for `capture`.
        let limit = SystemClock.monotonic() + .seconds(10)
        while driver.lastVBlank == last, SystemClock.monotonic() < limit {
            SystemClock.sleep(until: SystemClock.monotonic() + .milliseconds(5))
            _ = driver.attend(now: SystemClock.monotonic())
        }
    }

    /// What the screen is sent.
    func capture() throws -> Surface {
        buffer.clear()
        let fence = UnsafeMutablePointer<Int32>.allocate(capacity: 2)
        fence.initialize(repeating: -1, count: 2)
        defer { fence.deallocate() }
        try card.commit(
            [
                KMSSetting(writeback, .crtc, UInt64(crtc)),
                KMSSetting(writeback, .writebackFramebuffer, UInt64(buffer.id)),
                KMSSetting(writeback, .writebackFence, UInt64(UInt(bitPattern: fence))),
            ], .allowModeset, token: 0)
        var done = pollfd(fd: fence[0], events: Int16(POLLIN), revents: 0)
        let count = poll(&done, 1, 30_000)
        close(fence[0])
        try #require(count == 1, "the writeback connector has not written")
        try card.commit([KMSSetting(writeback, .crtc, 0)], .allowModeset, token: 0)
        return buffer.read()
    }

    /// vkms computes one of each frame that it would send (drm_debugfs_crc.c).
    static func sum() throws -> String {
        let folder = "/sys/kernel/debug/dri/0/crtc-0/crc"
        let control = try #require(fopen(folder + "/control", "w"))
        fputs("auto", control)
        fclose(control)
        let data = try #require(fopen(folder + "/data", "r"))
        defer { fclose(data) }
        let now = try vblank()
        // Each line ends in a line feed and a zero. The first may be of a frame that was begun when what was shown
        // before still was: there is one for each vblank that has passed until then.
        while true {
            var line: [UInt8] = []
            while let octet = UInt8(exactly: fgetc(data)), octet != 10 { if octet != 0 { line.append(octet) } }
            let words = String(decoding: line, as: UTF8.self).split(separator: " ")
            try #require(words.count == 2, "no sum")
            let number = try #require(UInt32(words[0].dropFirst(2), radix: 16))
            if Int32(bitPattern: number &- now) > 1 { return String(words[1]) }
        }
    }

    /// The number of the last one.
    private static func vblank() throws -> UInt32 {
        let card = open("/dev/dri/card0", O_RDWR | O_CLOEXEC)
        try #require(card >= 0)
        defer { close(card) }
        // drm_wait_vblank_request: in none from now.
        var question: [UInt32] = [1, 0, 0, 0, 0, 0]
        let result = ioctl(card, 0xc018_643a, &question)
        try #require(result == 0, "wait for vblank: \(String(cString: strerror(errno)))")
        return question[1]
    }

    /// Framebuffers of all on the card.
    static func framebuffers() throws -> Int {
        let text = try String(contentsOfFile: "/sys/kernel/debug/dri/0/framebuffer", encoding: .utf8)
        return text.split(separator: "\n").count { $0.hasPrefix("framebuffer[") }
    }

    /// The kernel takes away what is not needed when it has done with the flip.
    static func expectFramebuffers(_ count: Int, at place: SourceLocation = #_sourceLocation) throws {
        let limit = SystemClock.monotonic() + .seconds(5)
        while try framebuffers() != count, SystemClock.monotonic() < limit {
            SystemClock.sleep(until: SystemClock.monotonic() + .milliseconds(20))
        }
        let found = try framebuffers()
        #expect(found == count, sourceLocation: place)
    }

    fileprivate static func control(_ card: AtomicCard, _ request: UInt, _ words: [UInt64]) throws {
        var words = words
        let result = ioctl(card.descriptor, request, &words)
        try #require(result == 0, "ioctl \(String(request, radix: 16)): \(String(cString: strerror(errno)))")
    }
}

/// Memory of the card that it writes and we read.
private final class ReadableBuffer {
    private let framebuffer: Framebuffer
    private let buffer: DumbBuffer
    private let size: PixelSize

    init(_ size: PixelSize, on card: AtomicCard) throws {
        let buffer = try card.makeDumbBuffer(size, bitsPerPixel: 32)
        let framebuffer = try card.addFramebuffer(
            SharedPicture(
                width: size.width, height: size.height, fourCC: KMSPlane.xrgb8888, modifier: nil,
                planes: [.init(descriptor: -1, offset: 0, pitch: UInt32(buffer.pitch))]), handles: [buffer.handle])
        self.size = size
        self.framebuffer = framebuffer
        self.buffer = buffer
    }

    var id: UInt32 { framebuffer.id }

    /// With what no picture is.
    func clear() { buffer.memory.initializeMemory(as: UInt8.self, repeating: 0xa5) }

    func read() -> Surface {
        let surface = Surface(size.width, size.height)
        let (memory, pitch) = (buffer.memory, buffer.pitch)
        for row in 0..<size.height {
            UnsafeMutableRawBufferPointer(rebasing: surface.canvas.bytes[(row * surface.canvas.stride)...])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[row * pitch..<row * pitch + size.width * 4]))
        }
        return surface
    }
}
