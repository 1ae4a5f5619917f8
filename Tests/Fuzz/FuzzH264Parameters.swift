// SPDX-License-Identifier: Apache-2.0
import TransportStream

/// The input as a parameter set of H.264 and of HEVC, and as a picture that has one.
func fuzzH264Parameters(_ bytes: UnsafeRawBufferPointer) {
    let set = try? H264SequenceParameters(bytes, in: 0..<bytes.count)  // refusing is an answer
    precondition((0...16).contains(set?.mostReordered ?? 0))
    for codec in [StreamCodec.h264, .hevc, .mpeg2Video] {
        precondition((0...16).contains(PictureOrder.mostReordered(codec, of: bytes) ?? 0))
        _ = PictureContent(codec, bytes).isEntry
    }
    let other = try? HEVCSequenceParameters(bytes, in: 0..<bytes.count)
    precondition((0...15).contains(other?.mostReordered ?? 0))
}
