// SPDX-License-Identifier: Apache-2.0
import Foundation
import Media
import Scene
import System
import Testing
import Time

@testable import Display

/// Pages of this process as memory that devices share (udmabuf): what a decoder's buffer is to a screen.
final class SharedMemoryFile: @unchecked Sendable {
    // Sendable: the test's thread alone uses it.
    /// Of one picture in it.
    private final class Loan: Sendable {
        let end: @Sendable () -> Void

        init(_ end: @escaping @Sendable () -> Void) { self.end = end }

        deinit { end() }
    }

    let picture: SharedPicture
    let memory: UnsafeMutableRawBufferPointer
    /// When a picture in it was given back last.
    private(set) var givenBack: [Monotonic] = []
    private let format: VideoFormat
    private let file: FileDescriptor

    /// - Parameter size: coded; even.
    init(_ size: PixelSize, _ format: VideoFormat, left: Int = 0, top: Int = 0) throws {
        let pitch = (size.width + 63) & ~63
        let octets = (pitch * size.height * 3 / 2 + 4_095) & ~4_095
        let pages = try Self.makePages(octets)
        defer { close(pages) }
        let device = open("/dev/udmabuf", O_RDWR | O_CLOEXEC)
        try #require(device >= 0, "no /dev/udmabuf")
        defer { close(device) }
        // udmabuf_create: memfd, flags, offset, octets.
        var wish: [UInt64] = [UInt64(UInt32(bitPattern: pages)) | 1 << 32, 0, UInt64(octets)]
        let made = ioctl(device, 0x4018_7542, &wish)
        try #require(made >= 0, "udmabuf: \(String(cString: strerror(errno)))")
        file = FileDescriptor(adopting: made)
        let mapped = mmap(nil, octets, PROT_READ | PROT_WRITE, MAP_SHARED, pages, 0)
        memory = UnsafeMutableRawBufferPointer(
            start: try #require(mapped == MAP_FAILED ? nil : mapped), count: octets)
        self.format = format
        picture = SharedPicture(
            width: size.width, height: size.height, left: left, top: top, fourCC: format.rawValue, modifier: nil,
            planes: format.layout(pitch: pitch, height: size.height).map {
                SharedPicture.Plane(descriptor: made, offset: UInt32($0.offset), pitch: UInt32($0.pitch))
            })
    }

    /// What Swift does not import: memfd_create, fcntl.h's seals.
    private static func makePages(_ octets: Int) throws -> Int32 {
        typealias Create = @convention(c) (UnsafePointer<CChar>, UInt32) -> Int32
        let create = unsafeBitCast(try #require(dlsym(nil, "memfd_create")), to: Create.self)
        let (allowSealing, addSeals, sealShrink) = (UInt32(2), Int32(1_033), Int32(2))
        let pages = create("picture", allowSealing)
        let isSealed = ftruncate(pages, off_t(octets)) == 0 && fcntl(pages, addSeals, sealShrink) == 0
        try #require(isSealed, "memfd_create: \(String(cString: strerror(errno)))")
        return pages
    }

    deinit { munmap(memory.baseAddress, memory.count) }

    func write(_ noise: Noise) {
        guard let base = memory.baseAddress else { return }
        noise.write(
            to: base, format, pitch: Int(picture.planes[0].pitch), height: picture.height, left: picture.left,
            top: picture.top)
    }

    /// A picture of this size in it.
    func frame(
        _ size: PixelSize, _ matrix: VideoFrame.Matrix = .bt709, isFullRange: Bool = false, told: SharedPicture? = nil
    ) throws -> VideoFrame {
        let base = try #require(memory.baseAddress)
        let loan = Loan { [self] in givenBack.append(SystemClock.monotonic()) }
        // Where the picture begins.
        let planes = picture.planes.enumerated().map { index, plane in
            let (across, down) =
                index == 0
                ? (picture.left, picture.top) : (picture.left / (3 - picture.planes.count + 1), picture.top / 2)
            return VideoFrame.Plane(
                base: base + Int(plane.offset) + down * Int(plane.pitch) + across, stride: Int(plane.pitch))
        }
        return VideoFrame(
            format: format == .nv12 ? .nv12 : .yuv420p, width: size.width, height: size.height, pixelAspect: (1, 1),
            matrix: matrix, isFullRange: isFullRange, planes: (planes[0], planes[1], planes[planes.count - 1]),
            shared: told ?? picture, loan: loan, pts: 0, isDamaged: false, owner: base, giveBack: { _ in })
    }
}
