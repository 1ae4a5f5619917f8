// SPDX-License-Identifier: Apache-2.0
import DataMessages
import Time

/// The input is a script of payloads: source (one octet), length (two octets), then the payload.
func fuzzDataMessages(_ bytes: UnsafeRawBufferPointer) {
    var assembler = MessageAssembler()
    var (delivered, octets) = (Int64(0), Int64(0))
    var rest = bytes[...]
    while rest.count > 3 {
        let head = Array(rest.prefix(3))
        let length = Int(head[1]) << 8 | Int(head[2])
        let payload = UnsafeRawBufferPointer(rebasing: rest.dropFirst(3).prefix(length))
        rest = rest.dropFirst(3 + length)
        guard
            let message = assembler.payloadReceived(
                payload, source: UInt32(head[0]), at: Monotonic(nanoseconds: delivered))
        else { continue }
        precondition((1...DataMessage.mostOctets).contains(message.octets.count))
        delivered += 1
        octets += Int64(message.octets.count)
    }
    precondition(assembler.counters.messages == delivered && assembler.counters.octets == octets)
}
