// SPDX-License-Identifier: Apache-2.0
import Bytes
import EchoMessages

/// What a host sends back, and the request that a router reports.
func fuzzEcho(_ bytes: UnsafeRawBufferPointer) {
    for isIPv6 in [false, true] {
        guard let message = try? EchoMessage(bytes, isIPv6: isIPv6) else { continue }  // refusing is an answer
        let again = message.octets.withUnsafeBytes { try? EchoMessage($0, isIPv6: isIPv6) }
        precondition(again == message && message.data.count == bytes.count - 8)
    }
    guard bytes.count >= 2 else { return }
    precondition(!DeliveryProblem(isIPv6: bytes.count % 2 == 0, type: bytes[0], code: bytes[1]).text.isEmpty)
}
