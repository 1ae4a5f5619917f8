// SPDX-License-Identifier: Apache-2.0
internal import CLibAVCodec
import Glibc
import Media
import Synchronization

/// A picture in a device's memory that libavcodec lends: as DRM PRIME and, for readers, as a copy. It is given back
/// when its last reference is released.
final class LibraryPicture: @unchecked Sendable {
    // Sendable: the frames are not changed after `init`, except for the copy, which the first reader fills.

    let samples: VideoFrame.PixelFormat
    /// The device's own frame.
    private let device: UnsafeMutablePointer<AVFrame>
    /// The same memory mapped as DRM PRIME.
    private let view: UnsafeMutablePointer<AVFrame>
    /// Memory for the copy. It has the visible size, except that columns and rows cropped at the left and top are
    /// included.
    private let copy: UnsafeMutablePointer<AVFrame>
    private let isRead = Atomic(false)

    /// - Parameter frame: taken over, also if this throws.
    /// - Throws: `unknownPictures`, `outOfMemory`, or libavutil's error.
    init(adopting frame: UnsafeMutablePointer<AVFrame>) throws(DecoderFault) {
        let (view, copy) = (av_frame_alloc(), av_frame_alloc())
        do throws(DecoderFault) {
            guard let view, let copy else { throw .outOfMemory }
            samples = try Self.prepare(copy, of: frame)
            try Self.open(view, of: frame)
            (device, self.view, self.copy) = (frame, view, copy)
        } catch {
            for frame in [view, copy, frame] { Self.free(frame) }
            throw error
        }
    }

    deinit { for frame in [copy, view, device] { Self.free(frame) } }

    private static func free(_ frame: UnsafeMutablePointer<AVFrame>?) {
        var frame = frame
        av_frame_free(&frame)
    }

    /// Identifies the device's frame pool; another stream or size has another pool.
    var pool: UnsafeRawPointer? { Self.pool(of: device).map { UnsafeRawPointer($0) } }

    private static func pool(of frame: UnsafeMutablePointer<AVFrame>) -> UnsafePointer<AVHWFramesContext>? {
        frame.pointee.hw_frames_ctx.flatMap { $0.pointee.data }.map { data in
            UnsafeRawPointer(data).assumingMemoryBound(to: AVHWFramesContext.self)
        }
    }

    private static func prepare(
        _ copy: UnsafeMutablePointer<AVFrame>, of frame: UnsafeMutablePointer<AVFrame>
    ) throws(DecoderFault) -> VideoFrame.PixelFormat {
        let samples: VideoFrame.PixelFormat
        let layout = pool(of: frame)?.pointee.sw_format ?? AV_PIX_FMT_NONE
        switch layout {
        case AV_PIX_FMT_NV12: samples = .nv12
        case AV_PIX_FMT_NV21: samples = .nv21
        case AV_PIX_FMT_P010LE: samples = .p010
        case AV_PIX_FMT_YUV420P: samples = .yuv420p
        default: throw .unknownPictures(FourCC(rawValue: 0))
        }
        copy.pointee.format = layout.rawValue
        (copy.pointee.width, copy.pointee.height) = (frame.pointee.width, frame.pointee.height)
        try check("av_frame_get_buffer", av_frame_get_buffer(copy, 0))
        return samples
    }

    private static func open(
        _ view: UnsafeMutablePointer<AVFrame>, of frame: UnsafeMutablePointer<AVFrame>
    ) throws(DecoderFault) {
        if frame.pointee.format == AV_PIX_FMT_DRM_PRIME.rawValue {
            try check("av_frame_ref", av_frame_ref(view, frame))
        } else {
            view.pointee.format = AV_PIX_FMT_DRM_PRIME.rawValue
            let flags = Int32(AV_HWFRAME_MAP_READ | AV_HWFRAME_MAP_DIRECT)
            try check("av_hwframe_map", av_hwframe_map(view, frame, flags))
        }
    }

    private static func check(_ call: String, _ code: Int32) throws(DecoderFault) {
        if code < 0 { throw DecoderFault(call, code) }
    }

    /// Makes the copy at the first call. Must not be called on two threads at a time.
    func beginReading() {
        guard !isRead.exchange(true, ordering: .relaxed), av_hwframe_transfer_data(copy, device, 0) < 0 else { return }
        // If the copy fails, the picture is grey instead of whatever the memory held before.
        for (data, index) in zip([copy.pointee.data.0, copy.pointee.data.1, copy.pointee.data.2], 0...) {
            let extent = samples.extent(
                ofPlane: index, width: Int(copy.pointee.width), height: Int(copy.pointee.height))
            let strides = [copy.pointee.linesize.0, copy.pointee.linesize.1, copy.pointee.linesize.2]
            if let data, index < samples.planeCount { memset(data, 0x80, Int(strides[index]) * extent.rows) }
        }
    }

    var left: Int { Int(clamping: device.pointee.crop_left) & ~1 }
    var top: Int { Int(clamping: device.pointee.crop_top) & ~1 }
    var width: Int { Int(device.pointee.width) - left }
    var height: Int { Int(device.pointee.height) - top }

    /// Where the copy's samples are, or will be after `beginReading`.
    var planes: (VideoFrame.Plane, VideoFrame.Plane, VideoFrame.Plane) {
        let all = VideoFrame.planes(of: copy)
        let octets = samples.sampleOctets
        func moved(_ plane: VideoFrame.Plane, _ across: Int, _ down: Int) -> VideoFrame.Plane {
            VideoFrame.Plane(base: plane.base + down * plane.stride + across, stride: plane.stride)
        }
        // A pair of chroma samples is as wide as two luma samples.
        let across = (samples == .yuv420p ? left / 2 : left) * octets
        return (moved(all.0, left * octets, top), moved(all.1, across, top / 2), moved(all.2, across, top / 2))
    }

    /// - Returns: nil if the memory layout cannot be described to other devices.
    func shared(_ memories: inout SharedMemories) -> SharedPicture? {
        guard let data = view.pointee.data.0, let pool = Self.pool(of: device)?.pointee else { return nil }
        let description = UnsafeRawPointer(data).assumingMemoryBound(to: AVDRMFrameDescriptor.self).pointee
        guard
            var shared = SharedPicture(
                description, of: samples, width: Int(pool.width), height: Int(pool.height)),
            let identity = memories.identity(of: shared.planes[0].descriptor)
        else { return nil }
        (shared.identity, shared.left, shared.top) = (identity, left, top)
        return shared
    }

    /// - Returns: the picture, which retains this object.
    func frame(_ shared: SharedPicture?, isDamaged: Bool) -> VideoFrame {
        VideoFrame(
            describing: device, as: samples, width: width, height: height, planes: planes, shared: shared, loan: self,
            isDamaged: isDamaged, owner: Unmanaged.passRetained(self).toOpaque(),
            beginReading: { Unmanaged<LibraryPicture>.fromOpaque($0).takeUnretainedValue().beginReading() },
            giveBack: { Unmanaged<LibraryPicture>.fromOpaque($0).release() })
    }
}

extension DecoderFault {
    /// - Parameter code: negative error code of libavutil.
    init(_ call: String, _ code: Int32) {
        switch code {
        case tl_out_of_memory: self = .outOfMemory
        default: self = .failed(call: call, code: -code)
        }
    }

    init(_ error: CodecError, of coding: VideoCoding) {
        switch error {
        case .missing, .noDecoder: self = .noDevice(coding.stateful)
        case .outOfMemory: self = .outOfMemory
        case .failed(let call, let code): self.init(call, code)
        // Decoding in software will report these in more detail.
        case .tooLarge, .unsupportedFormat, .invalidData, .outputWaiting: self = .refusedFormat(coding.stateful)
        }
    }
}
