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

    /// Colours of the result are premultiplied by its opacity.
    /// - Parameter mostPixels: width times height of the largest picture that is decoded.
    /// - Throws: `.unsupportedFormat` for more than 8 bits a sample.
    public static func decode(_ bytes: [UInt8], mostPixels: Int = 8_192 * 8_192) throws(CodecError) -> CanvasBuffer {
        let context = try CodecContext(avcodec_find_decoder(AV_CODEC_ID_PNG), named: "png decoder") { context in
            context.pointee.max_pixels = Int64(mostPixels)
        }
        var input = try InputPacket()
        let frame = try OwnedFrame()
        let filling: Result<Void, CodecError> = bytes.withUnsafeBytes { octets in
            do throws(CodecError) { return .success(try input.fill(octets)) } catch { return .failure(error) }
        }
        try filling.get()
        try context.send(packet: input.pointer)
        guard try context.receive(frame: frame.pointer), let source = frame.pointer.pointee.data.0,
            let samples = Samples(AVPixelFormat(rawValue: frame.pointer.pointee.format), frame.pointer.pointee.data.1)
        else { throw .unsupportedFormat("PNG of more than 8 bits a sample") }
        let (width, height) = (Int(frame.pointer.pointee.width), Int(frame.pointer.pointee.height))
        guard (1...16_384).contains(width), (1...16_384).contains(height) else { throw .invalidData }
        let canvas = CanvasBuffer(width: width, height: height)
        for row in 0..<height {
            let line = source + row * Int(frame.pointer.pointee.linesize.0)
            for column in 0..<width {
                let (red, green, blue, opacity) = samples.pixel(line + column * samples.octets)
                let target = row * canvas.stride + column * 4
                canvas.bytes[target] = premultiplied(blue, opacity)
                canvas.bytes[target + 1] = premultiplied(green, opacity)
                canvas.bytes[target + 2] = premultiplied(red, opacity)
                canvas.bytes[target + 3] = opacity
            }
        }
        return canvas
    }

    private static func premultiplied(_ value: UInt8, _ opacity: UInt8) -> UInt8 {
        opacity == 255 ? value : UInt8((Int(value) * Int(opacity) + 127) / 255)
    }

    /// How the decoder lays out a pixel.
    private struct Samples {
        let octets: Int
        /// 256 colours, each as blue, green, red, opacity; nil if pixels are colours themselves.
        private let palette: UnsafeMutablePointer<UInt8>?
        private let isGrey: Bool
        private let hasOpacity: Bool

        init?(_ format: AVPixelFormat, _ second: UnsafeMutablePointer<UInt8>?) {
            switch format {
            case AV_PIX_FMT_RGB24: (octets, palette, isGrey, hasOpacity) = (3, nil, false, false)
            case AV_PIX_FMT_RGBA: (octets, palette, isGrey, hasOpacity) = (4, nil, false, true)
            case AV_PIX_FMT_GRAY8: (octets, palette, isGrey, hasOpacity) = (1, nil, true, false)
            case AV_PIX_FMT_YA8: (octets, palette, isGrey, hasOpacity) = (2, nil, true, true)
            case AV_PIX_FMT_PAL8:
                guard let second else { return nil }
                (octets, palette, isGrey, hasOpacity) = (1, second, false, false)
            default: return nil
            }
        }

        func pixel(_ octet: UnsafeMutablePointer<UInt8>) -> (red: UInt8, green: UInt8, blue: UInt8, opacity: UInt8) {
            if let palette {
                let colour = palette + Int(octet[0]) * 4
                return (colour[2], colour[1], colour[0], colour[3])
            }
            if isGrey { return (octet[0], octet[0], octet[0], hasOpacity ? octet[1] : 255) }
            return (octet[0], octet[1], octet[2], hasOpacity ? octet[3] : 255)
        }
    }
}
