// SPDX-License-Identifier: Apache-2.0
import RTP

func fuzzRTP(_ bytes: UnsafeRawBufferPointer) {
    guard let header = try? RTPHeader(bytes) else { return }  // refusing is an answer
    precondition(header.payload.clamped(to: 0..<bytes.count) == header.payload)
}
