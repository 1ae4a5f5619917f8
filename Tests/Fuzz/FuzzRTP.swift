// SPDX-License-Identifier: Apache-2.0
import RTP

func fuzzRTP(_ bytes: UnsafeRawBufferPointer) {
    guard let header = try? RTPHeader(bytes) else { return }  // refusing is an answer
    precondition(header.payload.clamped(to: 0..<bytes.count) == header.payload)
}

func fuzzSenderReport(_ bytes: UnsafeRawBufferPointer) {
    let report = try? SenderReport(bytes)  // refusing is an answer
    precondition(report == nil || bytes.count >= 20)
    _ = SenderReport.isControl(bytes)
}
