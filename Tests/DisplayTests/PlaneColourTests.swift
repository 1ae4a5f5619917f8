// SPDX-License-Identifier: Apache-2.0
import Media
import Testing

@testable import Display

struct PlaneColourTests {
    /// The names are the kernel's (drm_color_mgmt.c): a wrong one is a property that nobody has.
    @Test func names() {
        #expect(PlaneColour(matrix: .bt601, isFullRange: false).encoding == "ITU-R BT.601 YCbCr")
        #expect(PlaneColour(matrix: .bt709, isFullRange: false).encoding == "ITU-R BT.709 YCbCr")
        #expect(PlaneColour(matrix: .bt2020, isFullRange: false).encoding == "ITU-R BT.2020 YCbCr")
        #expect(PlaneColour(matrix: .bt709, isFullRange: false).range == "YCbCr limited range")
        #expect(PlaneColour(matrix: .bt709, isFullRange: true).range == "YCbCr full range")
    }

    @Test func ofAFrame() {
        let octet = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
        let plane = VideoFrame.Plane(base: octet, stride: 1)
        func colour(_ format: VideoFrame.PixelFormat, full: Bool) -> PlaneColour {
            let frame = VideoFrame(
                format: format, width: 1, height: 1, pixelAspect: (1, 1), matrix: .bt2020, isFullRange: full,
                planes: (plane, plane, plane), pts: 0, isDamaged: false, owner: octet, giveBack: { _ in })
            return PlaneColour(frame)
        }
        #expect(colour(.p010, full: false) == PlaneColour(matrix: .bt2020, isFullRange: false))
        #expect(colour(.nv12, full: true) == PlaneColour(matrix: .bt2020, isFullRange: true))
        // Its format says so.
        #expect(colour(.yuvj420p, full: false) == PlaneColour(matrix: .bt2020, isFullRange: true))
        octet.deallocate()
    }
}
