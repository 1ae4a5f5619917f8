// SPDX-License-Identifier: Apache-2.0
internal import CLibAVCodec

/// An `AVPacket` that one codec reuses, or that borrows octets from another owner.
struct OwnedPacket: ~Copyable {
    let pointer: UnsafeMutablePointer<AVPacket>

    init() throws(CodecError) {
        guard let packet = av_packet_alloc() else { throw .outOfMemory }
        pointer = packet
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = pointer
        av_packet_free(&packet)
    }

    /// The packet's octets, valid until it is filled again.
    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: pointer.pointee.data, count: Int(pointer.pointee.size))
    }
}
