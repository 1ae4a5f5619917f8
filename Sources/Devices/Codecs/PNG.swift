// SPDX-License-Identifier: Apache-2.0
internal import CLibAVCodec
import Media

/// Encodes a canvas as a PNG file (RGB, 8 bits), for screenshots, and decodes one.
public enum PNG {
    public static func encode(_ canvas: borrowing CanvasBuffer) throws(CodecError) -> [UInt8] {
        let (width, height) = (canvas.width, canvas.height)
        let context = try CodecContext(avcodec_find_encoder(AV_CODEC_ID_PNG), named: "png encoder") { context in
            context.pointee.width = Int32(width)
            context.pointee.height = Int32(height)
            context.pointee.pix_fmt = AV_PIX_FMT_RGB24
            context.pointee.time_base = AVRational(num: 1, den: 1)
            context.pointee.compression_level = 3  // speed matters more than size
        }
        let frame = try OwnedFrame()
        frame.pointer.pointee.format = AV_PIX_FMT_RGB24.rawValue
        frame.pointer.pointee.width = Int32(width)
        frame.pointer.pointee.height = Int32(height)
        try frame.allocate()
        guard let target = frame.pointer.pointee.data.0, let source = canvas.bytes.baseAddress else {
            throw .outOfMemory
        }
        for row in 0..<height {
            let pixels = (source + row * canvas.stride).assumingMemoryBound(to: UInt8.self)
            let triples = target + row * Int(frame.pointer.pointee.linesize.0)
            for column in 0..<width {
                triples[column &* 3] = pixels[column &* 4 &+ 2]
                triples[column &* 3 &+ 1] = pixels[column &* 4 &+ 1]
                triples[column &* 3 &+ 2] = pixels[column &* 4]
            }
        }
        let packet = try OwnedPacket()
        try context.send(frame: frame.pointer)
        guard try context.receive(packet: packet.pointer) else { throw .failed(call: "png encoder", code: 0) }
        return Array(packet.bytes)
    }

    /// - Throws: `.unsupportedFormat` for anything but 8-bit RGB with or without alpha; alpha is ignored.
    public static func decode(_ bytes: [UInt8]) throws(CodecError) -> CanvasBuffer {
        let context = try CodecContext(avcodec_find_decoder(AV_CODEC_ID_PNG), named: "png decoder") { context in
            context.pointee.max_pixels = 8_192 * 8_192
        }
        var input = try InputPacket()
        let frame = try OwnedFrame()
        let filling: Result<Void, CodecError> = bytes.withUnsafeBytes { octets in
            do throws(CodecError) { return .success(try input.fill(octets)) } catch { return .failure(error) }
        }
        try filling.get()
        try context.send(packet: input.pointer)
        guard try context.receive(frame: frame.pointer), let source = frame.pointer.pointee.data.0 else {
            throw .invalidData
        }
        let step: Int
        switch AVPixelFormat(rawValue: frame.pointer.pointee.format) {
        case AV_PIX_FMT_RGB24: step = 3
        case AV_PIX_FMT_RGBA: step = 4
        default: throw .unsupportedFormat("PNG other than RGB and RGBA")
        }
        let (width, height) = (Int(frame.pointer.pointee.width), Int(frame.pointer.pointee.height))
        guard (1...16_384).contains(width), (1...16_384).contains(height) else { throw .invalidData }
        let canvas = CanvasBuffer(width: width, height: height)
        for row in 0..<height {
            for column in 0..<width {
                let pixel = source + row * Int(frame.pointer.pointee.linesize.0) + column * step
                let target = row * canvas.stride + column * 4
                canvas.bytes[target] = pixel[2]
                canvas.bytes[target + 1] = pixel[1]
                canvas.bytes[target + 2] = pixel[0]
            }
        }
        return canvas
    }
}
