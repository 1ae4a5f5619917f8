// SPDX-License-Identifier: Apache-2.0
internal import CLibAVCodec
import Media

/// One `AVPacket` over one buffer, with libavcodec's padding after the octets, reused for every access unit. A new
/// buffer is made only if the decoder still holds the old one or the unit is larger.
struct InputPacket: ~Copyable {
    let pointer: UnsafeMutablePointer<AVPacket>
    private var capacity = 0

    static let largestUnit = 32 << 20

    init() throws(CodecError) {
        guard let packet = av_packet_alloc() else { throw .outOfMemory }
        pointer = packet
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = pointer
        av_packet_free(&packet)
    }

    mutating func fill(_ bytes: UnsafeRawBufferPointer) throws(CodecError) {
        guard let source = bytes.baseAddress, bytes.count <= Self.largestUnit else { throw .invalidData }
        try makeRoom(for: bytes.count)
        guard let data = UnsafeMutableRawPointer(pointer.pointee.data) else { throw .outOfMemory }
        data.copyMemory(from: source, byteCount: bytes.count)
        (data + bytes.count).initializeMemory(as: UInt8.self, repeating: 0, count: padding)
        pointer.pointee.size = Int32(bytes.count)
    }

    /// Empty input is refused, because a packet of size 0 would end the stream.
    private mutating func makeRoom(for count: Int) throws(CodecError) {
        guard count > 0 else { throw .invalidData }
        if count <= capacity, let buffer = pointer.pointee.buf, av_buffer_is_writable(buffer) == 1 { return }
        capacity = max(capacity, (count + 0xffff) & ~0xffff)
        av_packet_unref(pointer)
        guard let buffer = av_buffer_alloc(capacity + padding) else {
            capacity = 0
            throw .outOfMemory
        }
        pointer.pointee.buf = buffer
        pointer.pointee.data = buffer.pointee.data
    }
}

private let padding = Int(AV_INPUT_BUFFER_PADDING_SIZE)
