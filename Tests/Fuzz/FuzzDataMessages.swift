// SPDX-License-Identifier: Apache-2.0
import DataMessages
import Time

/// The input is a script of payloads: source (one octet), length (one octet), then the payload.
func fuzzDataMessages(_ bytes: UnsafeRawBufferPointer) {
    var assembler = MessageAssembler()
    var (delivered, octets) = (Int64(0), Int64(0))
    var rest = bytes[...]
    while rest.count > 2 {
        let (source, length) = (rest[rest.startIndex], Int(rest[rest.startIndex + 1]))
        let payload = UnsafeRawBufferPointer(rebasing: rest.dropFirst(2).prefix(length))
        rest = rest.dropFirst(2 + length)
        guard
            let message = assembler.payloadReceived(
                payload, source: UInt32(source), at: Monotonic(nanoseconds: delivered))
        else { continue }
        precondition((1...DataMessage.mostOctets).contains(message.octets.count))
        delivered += 1
        octets += Int64(message.octets.count)
    }
    precondition(assembler.counters.messages == delivered && assembler.counters.octets == octets)
}
