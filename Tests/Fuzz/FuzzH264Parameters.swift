// SPDX-License-Identifier: Apache-2.0
import TransportStream

/// The input as a parameter set, and as a picture that has one.
func fuzzH264Parameters(_ bytes: UnsafeRawBufferPointer) {
    let set = try? H264SequenceParameters(bytes, in: 0..<bytes.count)  // refusing is an answer
    precondition((0...16).contains(set?.mostReordered ?? 0))
    precondition((0...16).contains(H264SequenceParameters.mostReordered(of: bytes) ?? 0))
}
