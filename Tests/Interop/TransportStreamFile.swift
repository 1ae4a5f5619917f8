// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A transport stream of constant bit rate in memory, and where its pictures can be joined. Reads what ffmpeg wrote and
/// no more: our own parsers are what is tested.
struct TransportStreamFile: Sendable {
    struct Entry: Sendable {
        /// Packet in which the picture begins.
        let packet: Int
        /// 90 kHz.
        let pts: Int64
    }

    let bytes: [UInt8]
    /// Random-access points of the video, in order.
    let entries: [Entry]
    var packetCount: Int { bytes.count / 188 }

    init(_ video: CountedVideo, videoPID: Int = 0x100) throws {
        guard let data = FileManager.default.contents(atPath: video.path), data.count % 188 == 0 else {
            throw VenueError("\(video.path) is no transport stream")
        }
        let bytes = Array(data)
        self.bytes = bytes
        entries = stride(from: 0, to: bytes.count, by: 188).compactMap { start in
            let pid = Int(bytes[start + 1] & 0x1f) << 8 | Int(bytes[start + 2])
            let (startsUnit, hasField) = (bytes[start + 1] & 0x40 != 0, bytes[start + 3] & 0x20 != 0)
            guard pid == videoPID, startsUnit, hasField, bytes[start + 4] > 0, bytes[start + 5] & 0x40 != 0 else {
                return nil
            }
            let stamp = start + 5 + Int(bytes[start + 4]) + 9  // adaptation field; PES header's fixed part
            let high = Int64(bytes[stamp] >> 1 & 0x07) << 30
            let middle = Int64(Int(bytes[stamp + 1]) << 7 | Int(bytes[stamp + 2] >> 1)) << 15
            return Entry(
                packet: start / 188, pts: high | middle | Int64(Int(bytes[stamp + 3]) << 7 | Int(bytes[stamp + 4] >> 1))
            )
        }
    }

    /// Seven packets from this one on, from the start again behind the end.
    func payload(at packet: Int) -> [UInt8] {
        (0..<7).flatMap { index in
            let start = (packet + index) % packetCount * 188
            return bytes[start..<start + 188]
        }
    }
}
