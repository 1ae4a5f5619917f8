// SPDX-License-Identifier: Apache-2.0
import Announcements
import RTP
import Venue

extension ElementaryMedium {
    /// Whether a depacketizer of ours supports this format.
    var isReadable: Bool { isVideo || (try? SoundDepacketizer(self)) != nil }
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

    /// The codings of its media as they are described, for whoever asks why none is played; at most eight.
    var codings: [String] {
        media.prefix(8).map { media in
            let names = media.rtpFormats.prefix(2).map(\.encodingName)
            let coding = names.isEmpty ? [media.transportProtocol] + media.formats.prefix(2) : names
            return "\(media.kind) \(coding.joined(separator: " "))".prefix(64).description
        }
    }
}
