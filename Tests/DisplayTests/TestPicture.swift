// SPDX-License-Identifier: Apache-2.0
import Media

/// A picture of any format, made from functions of the place: 0...1 in, 0...1 out.
final class TestPicture {
    typealias Shade = (_ x: Double, _ y: Double) -> Double

    let format: VideoFrame.PixelFormat
    let width: Int
    let height: Int
    private let matrix: VideoFrame.Matrix
    private let isFullRange: Bool
    private let transfer: VideoFrame.Transfer
    private let memory: UnsafeMutableRawBufferPointer
    private let planes: (VideoFrame.Plane, VideoFrame.Plane, VideoFrame.Plane)

    /// - Parameter oddity: octets that make rows longer than they need be.
    init(
        _ format: VideoFrame.PixelFormat = .yuv420p, width: Int, height: Int, matrix: VideoFrame.Matrix = .bt709,
        isFullRange: Bool = false, transfer: VideoFrame.Transfer = .sdr, oddity: Int = 64, luma: Shade, blue: Shade,
        red: Shade
    ) {
        self.format = format
        self.width = width
        self.height = height
        self.matrix = matrix
        self.isFullRange = isFullRange
        self.transfer = transfer
        let extents = (0..<format.planeCount).map { format.extent(ofPlane: $0, width: width, height: height) }
        let octets = extents.map { ($0.octets + oddity) * $0.rows }
        memory = .allocate(byteCount: octets.reduce(64, +), alignment: 64)
        memory.initializeMemory(as: UInt8.self, repeating: 0x55)
        var made: [VideoFrame.Plane] = []
        let bits = [.yuv420p10, .yuv422p10, .yuv444p10, .p010, .gray10].contains(format) ? 10 : 12
        let scale = format.sampleOctets == 1 ? 1 : Double(1 << (bits - 8))
        let shift = format == .p010 ? 6 : 0
        for (index, extent) in extents.enumerated() {
            let start = memory.baseAddress.map { $0 + octets[..<index].reduce(0, +) }
            guard let start else { preconditionFailure("allocated nothing") }
            let stride = extent.octets + oddity
            made.append(VideoFrame.Plane(base: UnsafeRawPointer(start), stride: stride))
            let channels = index > 0 && extents.count == 2 ? 2 : 1
            let columns = extent.octets / format.sampleOctets / channels
            for row in 0..<extent.rows {
                for column in 0..<columns {
                    for channel in 0..<channels {
                        let isBlue = (index + channel == 1) != (format == .nv21)
                        let shade = index == 0 ? luma : isBlue ? blue : red
                        let value = shade(
                            (Double(column) + 0.5) / Double(columns), (Double(row) + 0.5) / Double(extent.rows))
                        let code = Self.code(
                            value, isLuma: index == 0, isFullRange: isFullRange, scale: scale)
                        let place = row * stride + (column * channels + channel) * format.sampleOctets
                        if format.sampleOctets == 1 {
                            start.storeBytes(of: UInt8(code), toByteOffset: place, as: UInt8.self)
                        } else {
                            for (octet, part) in [(code << shift) & 0xff, (code << shift) >> 8].enumerated() {
                                start.storeBytes(of: UInt8(part), toByteOffset: place + octet, as: UInt8.self)
                            }
                        }
                    }
                }
            }
        }
        planes = (made[0], made[min(1, made.count - 1)], made[made.count == 3 ? 2 : 0])
    }

    deinit { memory.deallocate() }

    private static func code(_ value: Double, isLuma: Bool, isFullRange: Bool, scale: Double) -> Int {
        let top = 256 * scale - 1
        let code =
            switch (isLuma, isFullRange) {
            case (true, true): value * top
            case (false, true): 128 * scale + (value - 0.5) * top
            case (true, false): (16 + 219 * value) * scale
            case (false, false): (128 + 224 * (value - 0.5)) * scale
            }
        return Int(max(0, min(top, code.rounded())))
    }

    /// Of its planes, while it lives.
    var samples: (VideoFrame.Plane, VideoFrame.Plane, VideoFrame.Plane) { planes }

    /// Lends it as a decoded frame.
    /// - Parameter fromBelow: with its lowest row first.
    func withFrame(fromBelow: Bool = false, _ body: (borrowing VideoFrame) throws -> Void) rethrows {
        guard let owner = memory.baseAddress else { return }
        func turned(_ index: Int, _ plane: VideoFrame.Plane) -> VideoFrame.Plane {
            guard fromBelow else { return plane }
            let rows = format.extent(ofPlane: index, width: width, height: height).rows
            return VideoFrame.Plane(base: plane.base + (rows - 1) * plane.stride, stride: -plane.stride)
        }
        let frame = VideoFrame(
            format: format, width: width, height: height, pixelAspect: (1, 1), matrix: matrix,
            isFullRange: isFullRange, transfer: transfer,
            planes: (turned(0, planes.0), turned(1, planes.1), turned(2, planes.2)), pts: 0, isDamaged: false,
            owner: owner, giveBack: { _ in })
        try body(frame)
    }
}
