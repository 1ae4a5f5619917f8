// SPDX-License-Identifier: Apache-2.0
import PacketCaptures

/// A request to the helper that opens packet sockets: what is accepted makes a program that ends with a return and is read
/// again as it was.
func fuzzCaptureRequest(_ bytes: UnsafeRawBufferPointer) {
    guard let request = try? CaptureRequest(parsing: Array(bytes)) else { return }  // refusing is an answer
    precondition(CaptureRequest.snaps.contains(request.snap) && request.filter.problem == nil)
    let program = request.filter.program(snap: request.snap)
    precondition(program.instructions.count < 64 && program.instructions.last?.constant == 0)
    guard let again = try? CaptureRequest(parsing: request.octets) else { preconditionFailure("it is not read again") }
    precondition(again == request)
}
