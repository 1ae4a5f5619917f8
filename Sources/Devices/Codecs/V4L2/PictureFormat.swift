// SPDX-License-Identifier: Apache-2.0
import Media

/// The format of a decoder's pictures in its buffers.
struct PictureFormat: Hashable, Sendable {
    let fourCC: FourCC
    let layout: PictureLayout
    /// The whole coded picture; rows and columns outside `visible` hold no picture.
    let coded: V4L2Format
    let visible: V4L2Rectangle
    let pixelAspect: PixelAspect
    let matrix: VideoFrame.Matrix
    let isFullRange: Bool
    let transfer: VideoFrame.Transfer

    struct PixelAspect: Hashable, Sendable {
        let width: Int
        let height: Int
    }

    /// - Parameters:
    ///   - area: the visible part; nil for the whole coded picture.
    ///   - aspect: pixel aspect ratio; square if nil or impossible.
    /// - Throws: `unknownPictures`, `badFormat`.
    init(
        _ coded: V4L2Format, area: V4L2Rectangle?, aspect: (width: Int, height: Int)?
    ) throws(DecoderFault) {
        guard let layout = PictureLayout(coded.format) else { throw .unknownPictures(coded.format) }
        let bad = DecoderFault.badFormat(coded.format, width: coded.width, height: coded.height)
        guard (16...16_384).contains(coded.width), (16...16_384).contains(coded.height),
            coded.planes.count == layout.buffers, layout.fits(coded)
        else { throw bad }
        let area = area ?? V4L2Rectangle(left: 0, top: 0, width: coded.width, height: coded.height)
        guard (0..<coded.width).contains(area.left), (0..<coded.height).contains(area.top),
            (1...coded.width - area.left).contains(area.width), (1...coded.height - area.top).contains(area.height)
        else { throw bad }
        self.coded = coded
        self.layout = layout
        fourCC = coded.format
        // Chroma has one sample for two luma samples, so the visible part must begin at an even position.
        let (left, top) = (area.left & ~1, area.top & ~1)
        visible = V4L2Rectangle(
            left: left, top: top, width: area.width + area.left - left, height: area.height + area.top - top)
        let isAspect = aspect.map { (1...65_535).contains($0.width) && (1...65_535).contains($0.height) } ?? false
        pixelAspect = PixelAspect(width: isAspect ? aspect?.width ?? 1 : 1, height: isAspect ? aspect?.height ?? 1 : 1)
        matrix = VideoFrame.Matrix(coded, height: visible.height)
        isFullRange = coded.range == 1 || coded.range == 0 && coded.colourSpace == 7
        transfer =
            switch coded.transfer {
            case 7: .pq  // V4L2_XFER_FUNC_SMPTE2084; it has no number for HLG
            default: .sdr
            }
    }

    /// - Parameter memory: a buffer of this format.
    /// - Returns: nil if the buffer is smaller than the device said.
    func planes(in memory: DeviceMemory) -> (VideoFrame.Plane, VideoFrame.Plane, VideoFrame.Plane)? {
        var found: [VideoFrame.Plane] = []
        for part in layout.parts(of: coded) {
            guard memory.planes.indices.contains(part.buffer) else { return nil }
            let bytes = memory.planes[part.buffer].bytes
            guard let base = bytes.baseAddress, part.offset + part.stride * part.rows <= bytes.count else { return nil }
            let down = part.isHalved ? visible.top / 2 : visible.top
            let across = part.isHalved ? visible.left / 2 : visible.left
            found.append(
                VideoFrame.Plane(
                    base: UnsafeRawPointer(base) + part.offset + down * part.stride + across * part.sampleOctets,
                    stride: part.stride))
        }
        guard let first = found.first else { return nil }
        return (first, found.count > 1 ? found[1] : first, found.count > 2 ? found[2] : first)
    }

    /// Describes a picture in this memory to other devices; nil if it is not exported or cannot be described.
    func shared(in memory: DeviceMemory) -> SharedPicture? {
        // The format code names the samples, however many buffers the planes lie in.
        guard let fourCC = layout.samples.fourCC else { return nil }
        var planes: [SharedPicture.Plane] = []
        for part in layout.parts(of: coded) {
            guard memory.planes.indices.contains(part.buffer),
                let descriptor = memory.planes[part.buffer].descriptor,
                let offset = UInt32(exactly: part.offset), let pitch = UInt32(exactly: part.stride)
            else { return nil }
            planes.append(SharedPicture.Plane(descriptor: descriptor, offset: offset, pitch: pitch))
        }
        return SharedPicture(
            width: coded.width, height: coded.height, left: visible.left, top: visible.top,
            fourCC: fourCC, modifier: nil, planes: planes)
    }
}

extension VideoFrame.Matrix {
    /// Taken from `v4l2_ycbcr_encoding`, or else from the colour space, or else from the picture's size, as for any
    /// stream that does not state it.
    init(_ format: V4L2Format, height: Int) {
        switch (format.matrix, format.colourSpace) {
        case (1, _), (3, _): self = .bt601
        case (2, _), (4, _): self = .bt709
        case (6, _), (7, _): self = .bt2020
        case (0, 1), (0, 5), (0, 6), (0, 7): self = .bt601
        case (0, 3): self = .bt709
        case (0, 10): self = .bt2020
        default: self = height >= 720 ? .bt709 : .bt601
        }
    }
}
