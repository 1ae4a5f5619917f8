// SPDX-License-Identifier: Apache-2.0
import Media

/// Makes a whole picture from one field of an interlaced picture. The field's rows stay in place, and each row between
/// is interpolated from four of them, so a still object does not move while its fields alternate.
///
/// Rows of 4:2:0 chroma alternate between the fields as luma rows do and lie, in frame rows, where those of a
/// progressive picture lie (H.262, 6.1.1.8; H.264, 6.2). The result is therefore sited like a progressive picture.
struct FieldInterpolator: ~Copyable {
    private var memory = GrowingMemory()

    private static let alignment = 64

    /// - Returns: planes of the frame's format and size, valid until the next call.
    mutating func planes(
        of frame: borrowing VideoFrame, _ field: VideoFrame.Field
    ) -> (VideoFrame.Plane, VideoFrame.Plane, VideoFrame.Plane) {
        let format = frame.format
        let extents = (
            format.extent(ofPlane: 0, width: frame.width, height: frame.height),
            format.extent(ofPlane: 1, width: frame.width, height: frame.height),
            format.extent(ofPlane: 2, width: frame.width, height: frame.height)
        )
        let count = format.planeCount
        let octets = (
            Self.octets(extents.0), count > 1 ? Self.octets(extents.1) : 0, count > 2 ? Self.octets(extents.2) : 0
        )
        let base = memory.room(for: octets.0 + octets.1 + octets.2)
        let first = fill(base, from: frame.planes.0, extents.0, format, field)
        guard count > 1 else { return (first, first, first) }
        let second = fill(base + octets.0, from: frame.planes.1, extents.1, format, field)
        guard count > 2 else { return (first, second, first) }
        return (first, second, fill(base + octets.0 + octets.1, from: frame.planes.2, extents.2, format, field))
    }

    /// Includes padding, because libswscale reads some octets beyond a row's end.
    private static func stride(_ octets: Int) -> Int { (octets + 2 * alignment - 1) & ~(alignment - 1) }

    private static func octets(_ extent: (octets: Int, rows: Int)) -> Int { stride(extent.octets) * extent.rows }

    private func fill(
        _ target: UnsafeMutableRawPointer, from source: VideoFrame.Plane, _ extent: (octets: Int, rows: Int),
        _ format: VideoFrame.PixelFormat, _ field: VideoFrame.Field
    ) -> VideoFrame.Plane {
        let stride = Self.stride(extent.octets)
        let isDeep = format.sampleOctets == 2
        let parity = extent.rows > 1 && field == .bottom ? 1 : 0
        let last = (extent.rows - 1 - parity) / 2 * 2 + parity
        for row in 0..<extent.rows {
            let line = target + row * stride
            guard row % 2 != parity, extent.rows > 1 else {
                line.copyMemory(from: source.base + row * source.stride, byteCount: extent.octets)
                continue
            }
            let rows = (
                source.row(row - 3, parity, last), source.row(row - 1, parity, last), source.row(row + 1, parity, last),
                source.row(row + 3, parity, last)
            )
            if isDeep {
                Self.interpolate(UInt16.self, rows, to: line, count: extent.octets / 2, highest: format.highestSample)
            } else {
                Self.interpolate(UInt8.self, rows, to: line, count: extent.octets, highest: format.highestSample)
            }
        }
        return VideoFrame.Plane(base: UnsafeRawPointer(target), stride: stride)
    }

    /// Evaluates the cubic through four rows half way between the inner two.
    @inline(__always)
    private static func interpolate<Sample: FixedWidthInteger & UnsignedInteger>(
        _ type: Sample.Type, _ rows: (UnsafeRawPointer, UnsafeRawPointer, UnsafeRawPointer, UnsafeRawPointer),
        to target: UnsafeMutableRawPointer, count: Int, highest: Int32
    ) {
        let (a, b) = (rows.0.assumingMemoryBound(to: type), rows.1.assumingMemoryBound(to: type))
        let (c, d) = (rows.2.assumingMemoryBound(to: type), rows.3.assumingMemoryBound(to: type))
        let line = target.assumingMemoryBound(to: type)
        for index in 0..<count {
            let inner = Int32(truncatingIfNeeded: b[index]) &+ Int32(truncatingIfNeeded: c[index])
            let outer = Int32(truncatingIfNeeded: a[index]) &+ Int32(truncatingIfNeeded: d[index])
            let value = (inner &* 9 &- outer &+ 8) &>> 4
            line[index] = Sample(truncatingIfNeeded: max(0, min(highest, value)))
        }
    }
}

extension VideoFrame.Plane {
    /// Row `index`, or the nearest row of the field.
    fileprivate func row(_ index: Int, _ first: Int, _ last: Int) -> UnsafeRawPointer {
        base + max(first, min(last, index)) * stride
    }
}

extension VideoFrame.PixelFormat {
    fileprivate var highestSample: Int32 {
        switch self {
        case .yuv420p, .yuv422p, .yuv444p, .nv12, .nv21, .gray, .yuvj420p: 0xff
        case .yuv420p10, .yuv422p10, .yuv444p10, .gray10: 0x3ff
        case .yuv420p12, .yuv422p12, .yuv444p12: 0xfff
        case .p010: 0xffff
        }
    }
}
