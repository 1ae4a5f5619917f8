// SPDX-License-Identifier: Apache-2.0
import Foundation
import Media
import Scene
import System
import TestSupport
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
    var memory: UnsafeMutableRawBufferPointer { pages.memory }
    /// When a picture in it was given back last.
    private(set) var givenBack: [Monotonic] = []
    private let format: VideoFrame.PixelFormat
    private let pages: SharedPages

    /// - Parameter size: coded; even.
    init(_ size: PixelSize, _ format: VideoFrame.PixelFormat, left: Int = 0, top: Int = 0) throws {
        let pitch = (size.width * format.sampleOctets + 63) & ~63
        let pages = try SharedPages(octets: pitch * size.height * 3 / 2)
        self.pages = pages
        self.format = format
        picture = SharedPicture(
            width: size.width, height: size.height, left: left, top: top,
            fourCC: try #require(format.fourCC), modifier: nil,
            planes: format.layout(pitch: pitch, height: size.height).map {
                SharedPicture.Plane(descriptor: pages.descriptor, offset: UInt32($0.offset), pitch: UInt32($0.pitch))
            })
    }

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
            let above = format.extent(ofPlane: index, width: picture.left, height: picture.top)
            return VideoFrame.Plane(
                base: base + Int(plane.offset) + above.rows * Int(plane.pitch) + above.octets, stride: Int(plane.pitch))
        }
        return VideoFrame(
            format: format, width: size.width, height: size.height, pixelAspect: (1, 1),
            matrix: matrix, isFullRange: isFullRange, planes: (planes[0], planes[1], planes[planes.count - 1]),
            shared: told ?? picture, loan: loan, pts: 0, isDamaged: false, owner: base, giveBack: { _ in })
    }
}
