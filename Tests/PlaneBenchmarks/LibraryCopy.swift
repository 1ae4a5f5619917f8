// SPDX-License-Identifier: Apache-2.0
import CLibAVCodec
import Media

/// A frame of libavutil that pictures are copied to, one after the other.
final class LibraryCopy {
    private var copy: UnsafeMutablePointer<AVFrame>?
    /// Refers to the picture, as a decoder's frame does.
    private var source: UnsafeMutablePointer<AVFrame>?

    struct Failure: Error { let code: Int32 }

    init(width: Int, height: Int) throws {
        (copy, source) = (av_frame_alloc(), av_frame_alloc())
        guard let copy, let source else { throw Failure(code: tl_out_of_memory) }
        for frame in [copy, source] {
            frame.pointee.format = AV_PIX_FMT_NV12.rawValue
            (frame.pointee.width, frame.pointee.height) = (Int32(width), Int32(height))
        }
        let code = av_frame_get_buffer(copy, 0)
        guard code >= 0 else { throw Failure(code: code) }
    }

    deinit {
        av_frame_free(&copy)
        av_frame_free(&source)
    }

    /// - Parameter picture: NV12 of that size.
    func withCopy(of picture: borrowing VideoFrame, _ body: (borrowing VideoFrame) throws -> Void) throws {
        guard let copy, let source else { return }
        let planes = picture.planes
        source.pointee.data.0 = UnsafeMutablePointer(mutating: planes.0.base.assumingMemoryBound(to: UInt8.self))
        source.pointee.data.1 = UnsafeMutablePointer(mutating: planes.1.base.assumingMemoryBound(to: UInt8.self))
        (source.pointee.linesize.0, source.pointee.linesize.1) = (Int32(planes.0.stride), Int32(planes.1.stride))
        let code = av_frame_copy(copy, source)
        guard code >= 0, let luma = copy.pointee.data.0, let chroma = copy.pointee.data.1 else {
            throw Failure(code: code)
        }
        let first = VideoFrame.Plane(base: luma, stride: Int(copy.pointee.linesize.0))
        let second = VideoFrame.Plane(base: chroma, stride: Int(copy.pointee.linesize.1))
        try body(picture.elsewhere((first, second, second)))
    }
}

extension VideoFrame {
    /// The same in memory that nobody shares.
    /// - Parameter planes: outlive it.
    borrowing func elsewhere(_ planes: (Plane, Plane, Plane)) -> VideoFrame {
        VideoFrame(
            format: format, width: width, height: height, pixelAspect: pixelAspect, matrix: matrix,
            isFullRange: isFullRange, planes: planes, pts: pts, isDamaged: isDamaged,
            owner: UnsafeMutableRawPointer(mutating: planes.0.base), giveBack: { _ in })
    }
}
