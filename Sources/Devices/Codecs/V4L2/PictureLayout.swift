// SPDX-License-Identifier: Apache-2.0
import Media

/// How the samples of a format lie in memory (the kernel's "YUV Formats"), for those formats that a `VideoFrame`
/// supports.
struct PictureLayout: Hashable, Sendable {
    /// One plane of samples.
    struct Part: Hashable, Sendable {
        let buffer: Int
        let offset: Int
        let stride: Int
        let rows: Int
        /// Half as wide and high as the luma plane.
        let isHalved: Bool
        /// Octets from one column to the next.
        let sampleOctets: Int
    }

    private enum Chroma { case pairs, planes, swappedPlanes }

    let samples: VideoFrame.PixelFormat
    /// Number of memory planes of a buffer.
    let buffers: Int
    private let chroma: Chroma

    init?(_ format: FourCC) {
        switch format {
        case FourCC("NV12"): (samples, buffers, chroma) = (.nv12, 1, .pairs)
        case FourCC("NM12"): (samples, buffers, chroma) = (.nv12, 2, .pairs)
        case FourCC("NV21"): (samples, buffers, chroma) = (.nv21, 1, .pairs)
        case FourCC("NM21"): (samples, buffers, chroma) = (.nv21, 2, .pairs)
        case FourCC("P010"): (samples, buffers, chroma) = (.p010, 1, .pairs)
        case FourCC("YU12"): (samples, buffers, chroma) = (.yuv420p, 1, .planes)
        case FourCC("YM12"): (samples, buffers, chroma) = (.yuv420p, 3, .planes)
        case FourCC("YV12"): (samples, buffers, chroma) = (.yuv420p, 1, .swappedPlanes)
        case FourCC("YM21"): (samples, buffers, chroma) = (.yuv420p, 3, .swappedPlanes)
        default: return nil
        }
    }

    /// Formats with the same samples in another arrangement, best first. If asked for other samples, a driver may
    /// accept and then signal a source change with every picture.
    var equals: [FourCC] {
        switch samples {
        case .p010: [FourCC("P010")]
        default:
            [
                FourCC("NV12"), FourCC("NM12"), FourCC("YU12"), FourCC("YM12"), FourCC("YV12"), FourCC("YM21"),
                FourCC("NV21"), FourCC("NM21"),
            ]
        }
    }

    /// The planes in a `VideoFrame`'s order. In a single buffer chroma directly follows luma; its rows are as long as
    /// luma's if interleaved, or half as long in two planes.
    func parts(of format: V4L2Format) -> [Part] {
        guard let first = format.planes.first else { return [] }
        let rows = (format.height + 1) / 2
        let octets = samples.sampleOctets
        let luma = Part(
            buffer: 0, offset: 0, stride: first.stride, rows: format.height, isHalved: false, sampleOctets: octets)
        let area = first.stride * format.height
        func stride(_ buffer: Int, _ contiguous: Int) -> Int {
            buffers == 1 ? contiguous : format.planes.indices.contains(buffer) ? format.planes[buffer].stride : 0
        }
        func plane(_ buffer: Int, _ offset: Int, _ stride: Int, _ octets: Int) -> Part {
            Part(
                buffer: buffers == 1 ? 0 : buffer, offset: buffers == 1 ? offset : 0, stride: stride, rows: rows,
                isHalved: true, sampleOctets: octets)
        }
        if chroma == .pairs { return [luma, plane(1, area, stride(1, first.stride), octets * 2)] }
        let half = first.stride / 2
        let near = plane(1, area, stride(1, half), octets)
        let far = plane(2, area + half * rows, stride(2, half), octets)
        return chroma == .planes ? [luma, near, far] : [luma, far, near]
    }

    /// Whether rows and planes are large enough for this size.
    func fits(_ format: V4L2Format) -> Bool {
        guard format.planes.allSatisfy({ (0...1 << 17).contains($0.stride) && (0...1 << 30).contains($0.octets) })
        else { return false }
        return parts(of: format).allSatisfy { part in
            let columns = part.isHalved ? (format.width + 1) / 2 : format.width
            return part.stride >= columns * part.sampleOctets
                && part.offset + part.stride * part.rows <= format.planes[part.buffer].octets
        }
    }
}
