// SPDX-License-Identifier: Apache-2.0
internal import CLibAVCodec

/// A buffer that grows to the largest block seen and is reused for all blocks.
struct SampleBuffer: ~Copyable {
    private var memory = UnsafeMutableBufferPointer<Float>(start: nil, count: 0)

    deinit { memory.deallocate() }

    /// The samples of `frame`, interleaved, in -1...1; valid until the next call.
    mutating func interleave(_ frame: UnsafeMutablePointer<AVFrame>) throws(CodecError) -> UnsafeBufferPointer<Float> {
        let (frames, channels) = (Int(frame.pointee.nb_samples), Int(frame.pointee.ch_layout.nb_channels))
        let count = frames * channels
        if memory.count < count {
            memory.deallocate()
            memory = .allocate(capacity: count)
        }
        guard let planes = frame.pointee.extended_data, let target = memory.baseAddress else { throw .invalidData }
        switch AVSampleFormat(rawValue: frame.pointee.format) {
        case AV_SAMPLE_FMT_FLTP:
            for channel in 0..<channels {
                Self.spread(try Self.plane(planes[channel]), frames, channel, channels, target)
            }
        case AV_SAMPLE_FMT_FLT: Self.spread(try Self.plane(planes[0]), count, 0, 1, target)
        case AV_SAMPLE_FMT_S16P:
            for channel in 0..<channels {
                Self.spread(try Self.plane(planes[channel], of: Int16.self), frames, channel, channels, target)
            }
        case AV_SAMPLE_FMT_S16: Self.spread(try Self.plane(planes[0], of: Int16.self), count, 0, 1, target)
        case AV_SAMPLE_FMT_S32P:
            for channel in 0..<channels {
                Self.spread(try Self.plane(planes[channel], of: Int32.self), frames, channel, channels, target)
            }
        case AV_SAMPLE_FMT_S32: Self.spread(try Self.plane(planes[0], of: Int32.self), count, 0, 1, target)
        case let other: throw .unsupportedFormat(av_get_sample_fmt_name(other).map { String(cString: $0) } ?? "unknown")
        }
        return UnsafeBufferPointer(rebasing: memory[..<count])
    }

    private static func plane<Sample>(
        _ data: UnsafeMutablePointer<UInt8>?, of type: Sample.Type = Float.self
    ) throws(CodecError) -> UnsafePointer<Sample> {
        guard let data else { throw .invalidData }
        return UnsafeRawPointer(data).assumingMemoryBound(to: type)
    }

    private static func spread(
        _ source: UnsafePointer<Float>, _ count: Int, _ first: Int, _ step: Int, _ target: UnsafeMutablePointer<Float>
    ) {
        for index in 0..<count { target[first &+ index &* step] = source[index] }
    }

    private static func spread(
        _ source: UnsafePointer<Int16>, _ count: Int, _ first: Int, _ step: Int, _ target: UnsafeMutablePointer<Float>
    ) {
        for index in 0..<count { target[first &+ index &* step] = Float(source[index]) / 32_768 }
    }
    private static func spread(
        _ source: UnsafePointer<Int32>, _ count: Int, _ first: Int, _ step: Int, _ target: UnsafeMutablePointer<Float>
    ) {
        for index in 0..<count { target[first &+ index &* step] = Float(source[index]) / 2_147_483_648 }
    }
}
