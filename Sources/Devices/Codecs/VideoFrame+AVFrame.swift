// SPDX-License-Identifier: Apache-2.0
internal import CLibAVCodec
import Media

extension VideoFrame {
    /// Takes ownership of `frame`, which is freed when the picture is released.
    init(adopting frame: UnsafeMutablePointer<AVFrame>, as format: PixelFormat, isDamaged: Bool) {
        self.init(
            describing: frame, as: format, width: Int(frame.pointee.width), height: Int(frame.pointee.height),
            planes: Self.planes(of: frame), isDamaged: isDamaged, owner: UnsafeMutableRawPointer(frame),
            giveBack: { owner in
                var frame: UnsafeMutablePointer<AVFrame>? = owner.assumingMemoryBound(to: AVFrame.self)
                av_frame_free(&frame)
            })
    }

    /// A picture with the properties of `frame`, whose samples are in `planes`.
    init(
        describing frame: UnsafeMutablePointer<AVFrame>, as format: PixelFormat, width: Int, height: Int,
        planes: (Plane, Plane, Plane), shared: SharedPicture? = nil, loan: (any AnyObject & Sendable)? = nil,
        isDamaged: Bool, owner: UnsafeMutableRawPointer,
        beginReading: (@convention(c) (UnsafeMutableRawPointer) -> Void)? = nil,
        giveBack: @escaping @convention(c) (UnsafeMutableRawPointer) -> Void
    ) {
        let fields = frame.pointee
        let aspect = fields.sample_aspect_ratio
        self.init(
            format: format, width: width, height: height,
            pixelAspect: aspect.num > 0 && aspect.den > 0 ? (Int(aspect.num), Int(aspect.den)) : (1, 1),
            matrix: Matrix(of: frame),
            isFullRange: Self.isJPEG(frame) || fields.color_range == AVCOL_RANGE_JPEG,
            transfer: Transfer(of: frame),
            fields: tl_is_interlaced(frame) == 0
                ? .progressive : tl_is_top_first(frame) != 0 ? .topFirst : .bottomFirst,
            planes: planes, shared: shared, loan: loan,
            pts: fields.pts == tl_no_timestamp ? fields.best_effort_timestamp : fields.pts,
            isDamaged: isDamaged || fields.decode_error_flags != 0 || fields.flags & AV_FRAME_FLAG_CORRUPT != 0,
            owner: owner, beginReading: beginReading, giveBack: giveBack)
    }

    private static func isJPEG(_ frame: UnsafeMutablePointer<AVFrame>) -> Bool {
        switch AVPixelFormat(rawValue: frame.pointee.format) {
        case AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P: true
        default: false
        }
    }

    static func planes(of frame: UnsafeMutablePointer<AVFrame>) -> (Plane, Plane, Plane) {
        let (data, strides) = (frame.pointee.data, frame.pointee.linesize)
        guard let luma = data.0 else { preconditionFailure("avcodec_receive_frame returned 0 and no picture") }
        let first = Plane(base: UnsafeRawPointer(luma), stride: Int(strides.0))
        return (
            first,
            data.1.map { Plane(base: UnsafeRawPointer($0), stride: Int(strides.1)) } ?? first,
            data.2.map { Plane(base: UnsafeRawPointer($0), stride: Int(strides.2)) } ?? first
        )
    }
}

extension VideoFrame.PixelFormat {
    init(of frame: UnsafeMutablePointer<AVFrame>) throws(CodecError) {
        let format = AVPixelFormat(rawValue: frame.pointee.format)
        switch format {
        case AV_PIX_FMT_YUV420P: self = .yuv420p
        case AV_PIX_FMT_YUVJ420P: self = .yuvj420p
        case AV_PIX_FMT_YUV422P, AV_PIX_FMT_YUVJ422P: self = .yuv422p
        case AV_PIX_FMT_YUV444P, AV_PIX_FMT_YUVJ444P: self = .yuv444p
        case AV_PIX_FMT_NV12: self = .nv12
        case AV_PIX_FMT_NV21: self = .nv21
        case AV_PIX_FMT_YUV420P10LE: self = .yuv420p10
        case AV_PIX_FMT_GRAY8: self = .gray
        case AV_PIX_FMT_YUV422P10LE: self = .yuv422p10
        case AV_PIX_FMT_YUV444P10LE: self = .yuv444p10
        case AV_PIX_FMT_P010LE: self = .p010
        case AV_PIX_FMT_GRAY10LE: self = .gray10
        case AV_PIX_FMT_YUV420P12LE: self = .yuv420p12
        case AV_PIX_FMT_YUV422P12LE: self = .yuv422p12
        case AV_PIX_FMT_YUV444P12LE: self = .yuv444p12
        default: throw .unsupportedFormat(av_get_pix_fmt_name(format).map { String(cString: $0) } ?? "unknown")
        }
    }
}

extension VideoFrame.Transfer {
    init(of frame: UnsafeMutablePointer<AVFrame>) {
        switch frame.pointee.color_trc {
        case AVCOL_TRC_SMPTE2084: self = .pq
        case AVCOL_TRC_ARIB_STD_B67: self = .hlg
        default: self = .sdr
        }
    }
}

extension VideoFrame.Matrix {
    /// The matrix that the stream states, or else the one usual for its size.
    init(of frame: UnsafeMutablePointer<AVFrame>) {
        switch frame.pointee.colorspace {
        case AVCOL_SPC_BT709: self = .bt709
        case AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M, AVCOL_SPC_FCC: self = .bt601
        case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: self = .bt2020
        default: self = frame.pointee.height >= 720 ? .bt709 : .bt601
        }
    }
}
