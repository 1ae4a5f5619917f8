// SPDX-License-Identifier: Apache-2.0
import Announcements
import Foundation
import Venue

/// Datagrams of real head-ends; each file says whose.
enum Vector: String, CaseIterable {
    case vlcRTP = "vlc-rtp"
    case vlcUDP = "vlc-udp"
    case ffmpegElementary = "ffmpeg-elementary"
    case ffmpegElementaryDeletion = "ffmpeg-elementary-deletion"
    case ffmpegRawTS = "ffmpeg-rawts"
    case ffmpegRawTSDeletion = "ffmpeg-rawts-deletion"
    case ffmpegSamePort = "ffmpeg-sameport"
    case ffmpegSamePortDeletion = "ffmpeg-sameport-deletion"
    case ffmpegH264 = "ffmpeg-h264"
    case ffmpegIPv6 = "ffmpeg-ipv6"
    case ffmpegIPv6Deletion = "ffmpeg-ipv6-deletion"
    case vlcElementary = "vlc-elementary"
    case vlcIPv6 = "vlc-ipv6"

    /// That its header names.
    var origin: NumericAddress {
        switch self {
        case .ffmpegIPv6, .ffmpegIPv6Deletion, .vlcIPv6: NumericAddress(v6: 0xfd00_0000_0000_0000, 1)
        case .ffmpegH264, .vlcElementary: NumericAddress(v4: 0x0a09_0001)
        default: NumericAddress(v4: 0x7f00_0001)
        }
    }

    func octets() throws -> [UInt8] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Vectors")
        let text = try String(contentsOf: folder.appendingPathComponent("\(rawValue).hex"), encoding: .utf8)
        let digits = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.joined()
        return stride(from: 0, to: digits.count, by: 2).compactMap { index in
            let start = digits.index(digits.startIndex, offsetBy: index)
            return UInt8(digits[start..<digits.index(start, offsetBy: 2)], radix: 16)
        }
    }

    func session() throws -> SessionDescription {
        let datagram = try octets()
        let packet = try SAPPacket(datagram)
        return try SessionDescription(Array(datagram[packet.payload]))
    }
}

extension SAPPacket {
    init(_ octets: [UInt8]) throws { self = try octets.withUnsafeBytes { try SAPPacket(parsing: $0) } }
}

extension SessionDescription {
    init(_ octets: [UInt8]) throws { self = try octets.withUnsafeBytes { try SessionDescription(parsing: $0) } }
    init(_ text: String) throws { try self.init(Array(text.utf8)) }
}

extension Announcement {
    init(_ octets: [UInt8]) throws { self = try octets.withUnsafeBytes { try Announcement(decoding: $0) } }
}
