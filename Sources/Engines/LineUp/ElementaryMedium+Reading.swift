// SPDX-License-Identifier: Apache-2.0
import Announcements
import Bytes
import RTP
import Venue

extension ElementaryMedium {
    /// Whether a depacketizer of ours supports this format.
    var isReadable: Bool {
        guard case .aac(let format) = coding else { return true }
        do throws(WireError) {
            let config = try format.configuration.withOctets { (octets) throws(WireError) in
                try AudioSpecificConfig(octets)
            }
            let framing = try AACFraming(
                sizeLength: format.sizeLength, indexLength: format.indexLength,
                indexDeltaLength: format.indexDeltaLength)
            _ = try AACDepacketizer(config: config, framing: framing, clockRate: clockRate)
            return true
        } catch {
            return false
        }
    }
}

extension SessionDescription {
    /// What a box plays of a session without a transport stream: the first video and the first audio medium that it can
    /// read, in this order, and their bandwidth in kbit/s, 0 when none is announced.
    var elementary: (transport: Transport, bandwidthKbps: Int)? {
        let readable = elementaryStreams.compactMap { stream in
            stream.medium.flatMap { $0.isReadable ? (medium: $0, bandwidthKbps: stream.bandwidthKbps ?? 0) : nil }
        }
        let played = [readable.first { $0.medium.isVideo }, readable.first { !$0.medium.isVideo }].compactMap { $0 }
        return Transport(played.map(\.medium)).map { transport in
            (transport, played.reduce(0) { $0 + $1.bandwidthKbps })
        }
    }
}
