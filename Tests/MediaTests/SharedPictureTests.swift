// SPDX-License-Identifier: Apache-2.0
import Media
import Testing

struct SharedPictureTests {
    /// As the kernel's header spells them.
    @Test(arguments: [(VideoFrame.PixelFormat.yuv420p, "YU12"), (.nv12, "NV12"), (.nv21, "NV21"), (.p010, "P010")])
    func codes(format: VideoFrame.PixelFormat, name: String) throws {
        let code = try #require(format.fourCC)
        let picture = SharedPicture(width: 640, height: 360, fourCC: code, modifier: nil, planes: [])
        #expect(picture.summary == name + " 640x360")
    }

    /// Deep samples in low bits, and the JPEG family's, whose range no code tells.
    @Test func othersHaveNone() {
        #expect(VideoFrame.PixelFormat.yuv420p10.fourCC == nil && VideoFrame.PixelFormat.yuvj420p.fourCC == nil)
    }
}
