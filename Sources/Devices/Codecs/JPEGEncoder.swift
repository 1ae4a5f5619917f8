// SPDX-License-Identifier: Apache-2.0
internal import CLibAVCodec
import Media

/// Encodes pictures of one size as JPEG files (JFIF, baseline, 4:2:0), each independently.
/// - Thread: one, which owns it.
public final class JPEGEncoder {
    private let context: CodecContext
    private let frame: OwnedFrame
    private let packet: OwnedPacket
    private var pictures: Int64 = 0

    /// - Parameters:
    ///   - width, height: even, 2...16 384.
    ///   - quality: 1...100; 100 is best.
    public init(width: Int, height: Int, quality: Int) throws(CodecError) {
        precondition((2...16_384).contains(width) && (2...16_384).contains(height) && width % 2 == 0 && height % 2 == 0)
        precondition((1...100).contains(quality))
        let scale = FF_QP2LAMBDA * Int32(31 - (quality - 1) * 29 / 99)  // libavcodec's scale: 31 is worst, 2 best
        let packet = try OwnedPacket()
        let frame = try OwnedFrame()
        frame.pointer.pointee.format = AV_PIX_FMT_YUVJ420P.rawValue
        frame.pointer.pointee.width = Int32(width)
        frame.pointer.pointee.height = Int32(height)
        frame.pointer.pointee.quality = scale
        frame.pointer.pointee.color_range = AVCOL_RANGE_JPEG
        try frame.allocate()
        context = try CodecContext(avcodec_find_encoder(AV_CODEC_ID_MJPEG), named: "mjpeg encoder") { context in
            context.pointee.width = Int32(width)
            context.pointee.height = Int32(height)
            context.pointee.pix_fmt = AV_PIX_FMT_YUVJ420P
            context.pointee.color_range = AVCOL_RANGE_JPEG
            context.pointee.time_base = AVRational(num: 1, den: 25)
            context.pointee.flags |= AV_CODEC_FLAG_QSCALE
            context.pointee.global_quality = scale
            // Optimal Huffman tables would save a tenth of the octets but need a second pass over each picture.
            av_opt_set(context.pointee.priv_data, "huffman", "default", 0)
        }
        self.packet = packet
        self.frame = frame
    }

    /// - Parameter picture: must have the encoder's size, full range and BT.601.
    /// - Returns: the octets of a JPEG file.
    public func encode(_ picture: borrowing PictureBuffer) throws(CodecError) -> [UInt8] {
        precondition(picture.width == Int(frame.pointer.pointee.width))
        precondition(picture.height == Int(frame.pointer.pointee.height))
        try frame.makeWritable()
        let (data, strides) = (frame.pointer.pointee.data, frame.pointer.pointee.linesize)
        for (plane, target, stride) in [(0, data.0, strides.0), (1, data.1, strides.1), (2, data.2, strides.2)] {
            guard let target else { throw .outOfMemory }
            picture.copyPlane(plane, to: UnsafeMutableRawPointer(target), stride: Int(stride))
        }
        frame.pointer.pointee.pts = pictures
        pictures += 1
        try context.send(frame: frame.pointer)
        guard try context.receive(packet: packet.pointer) else { throw .failed(call: "mjpeg encoder", code: 0) }
        return Array(packet.bytes)
    }
}
