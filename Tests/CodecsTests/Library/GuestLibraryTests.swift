// SPDX-License-Identifier: Apache-2.0
import CLibAVCodec
import Media
import TestSupport
import Testing

@testable import Codecs

/// libavutil's devices in the emulated machine, whose card decodes nothing: pictures of memory that devices share.
@Suite(.serialized, .enabled(if: Guest.isHere)) struct GuestLibraryTests {
    private static let card = "/dev/dri/card0"
    private static let (width, height, pitch) = (128, 48, 192)

    /// NV12 of random samples, described as one layer, 6 columns and 4 rows of which are cut off on the left and top.
    private func frame(
        _ pages: SharedPages, of device: borrowing LibraryDevice
    ) throws -> UnsafeMutablePointer<AVFrame> {
        var pool: UnsafeMutablePointer<AVBufferRef>? = av_hwframe_ctx_alloc(device.reference)
        defer { av_buffer_unref(&pool) }
        let data = try #require(pool?.pointee.data)
        data.withMemoryRebound(to: AVHWFramesContext.self, capacity: 1) { context in
            context.pointee.format = AV_PIX_FMT_DRM_PRIME
            context.pointee.sw_format = AV_PIX_FMT_NV12
            (context.pointee.width, context.pointee.height) = (Int32(Self.width), Int32(Self.height))
        }
        try #require(av_hwframe_ctx_init(pool) == 0)
        let frame = try #require(av_frame_alloc())
        let holder = try #require(av_buffer_allocz(MemoryLayout<AVDRMFrameDescriptor>.size))
        let octets = try #require(holder.pointee.data)
        octets.withMemoryRebound(to: AVDRMFrameDescriptor.self, capacity: 1) { description in
            (description.pointee.nb_objects, description.pointee.nb_layers) = (1, 1)
            description.pointee.objects.0 = AVDRMObjectDescriptor(
                fd: pages.descriptor, size: pages.memory.count, format_modifier: 0)
            description.pointee.layers.0.format = FourCC.nv12.rawValue
            description.pointee.layers.0.nb_planes = 2
            description.pointee.layers.0.planes.0 = AVDRMPlaneDescriptor(object_index: 0, offset: 0, pitch: Self.pitch)
            description.pointee.layers.0.planes.1 = AVDRMPlaneDescriptor(
                object_index: 0, offset: Self.pitch * Self.height, pitch: Self.pitch)
        }
        frame.pointee.format = AV_PIX_FMT_DRM_PRIME.rawValue
        (frame.pointee.width, frame.pointee.height) = (Int32(Self.width), Int32(Self.height))
        (frame.pointee.crop_left, frame.pointee.crop_top) = (6, 4)
        (frame.pointee.colorspace, frame.pointee.pts) = (AVCOL_SPC_BT709, 77)
        (frame.pointee.data.0, frame.pointee.buf.0) = (octets, holder)
        frame.pointee.hw_frames_ctx = av_buffer_ref(pool)
        return frame
    }

    @Test func aPictureIsSharedAndRead() throws {
        guard let device = LibraryDevice(AV_HWDEVICE_TYPE_DRM, at: Self.card) else {
            Issue.record("no \(Self.card)")
            return
        }
        let pages = try SharedPages(octets: Self.pitch * Self.height * 3 / 2)
        var random = SplitMix64(seed: 1)
        for index in pages.memory.indices { pages.memory[index] = UInt8(truncatingIfNeeded: random.next()) }
        let before = try GuestResources()
        var memories = SharedMemories()
        for _ in 0..<3 {
            let picture = try LibraryPicture(adopting: try frame(pages, of: device))
            let made = picture.shared(&memories)
            let shared = try #require(made)
            #expect(shared.width == Self.width && shared.height == Self.height && shared.left == 6 && shared.top == 4)
            #expect(shared.modifier == 0 && shared.planes.map(\.descriptor) == [pages.descriptor, pages.descriptor])
            let known = memories.identity(of: pages.descriptor)
            #expect(shared.identity == known)
            let video = picture.frame(shared, isDamaged: false)
            let (luma, chroma, _) = video.planes
            let (format, width, height, pts, matrix) = (
                video.format, video.width, video.height, video.pts, video.matrix
            )
            #expect(format == .nv12 && width == 122 && height == 44 && pts == 77 && matrix == .bt709)
            let isRight = (0..<44).allSatisfy { row in
                let (own, source) = (luma.base + row * luma.stride, Self.pitch * (row + 4) + 6)
                let (pairs, half) = (
                    chroma.base + row / 2 * chroma.stride, Self.pitch * (Self.height + row / 2 + 2) + 6
                )
                return (0..<122).allSatisfy { column in
                    own.load(fromByteOffset: column, as: UInt8.self) == pages.memory[source + column]
                        && pairs.load(fromByteOffset: column, as: UInt8.self) == pages.memory[half + column]
                }
            }
            #expect(isRight)
        }
        memories.forget()
        #expect(try GuestResources() == before)
    }

    /// There is no driver of VAAPI for a card without a decoder.
    @Test func noneOfItsCardsDecodes() {
        #expect(DecoderDevice(library: Self.card) == nil)
        #expect(!DecoderInventory.read().devices.contains { $0.kind == .library })
    }
}
