// SPDX-License-Identifier: Apache-2.0
import Bytes
import DataMessages
import RTP

/// Messages as the RTP packets of a data channel.
struct DataSender {
    static let payloadType: UInt8 = 97

    private var writer = MessageWriter()
    private var sequence: UInt16
    private let source: UInt32

    init(source: UInt32, sequence: UInt16 = 0) {
        self.source = source
        self.sequence = sequence
    }

    mutating func packets(of octets: [UInt8], type: String = "") throws -> [[UInt8]] {
        let payloads = try writer.payloads(of: octets, contentType: type)
        return payloads.enumerated().map { place, payload in
            var out = WireWriter()
            RTPHeader.write(
                payloadType: Self.payloadType, hasMarker: place == payloads.count - 1, sequence: sequence,
                timestamp: writer.nextSequence &* 90, ssrc: source, to: &out)
            out.write(contentsOf: payload)
            sequence &+= 1
            return out.bytes
        }
    }
}
