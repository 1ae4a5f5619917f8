// SPDX-License-Identifier: Apache-2.0
import RTP

func fuzzRTP(_ bytes: UnsafeRawBufferPointer) {
    var sequence = RTPSequence()
    if let header = try? RTPHeader(bytes) {  // refusing is an answer
        precondition(header.payload.clamped(to: 0..<bytes.count) == header.payload)
        _ = sequence.receive(header.sequence)
    }
    for index in stride(from: 0, to: bytes.count - 1, by: 2) {
        _ = sequence.receive(UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1]))
    }
}
