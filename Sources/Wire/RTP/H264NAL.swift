// SPDX-License-Identifier: Apache-2.0

/// nal_unit_type of H.264 (table 7-1), and the types that RFC 6184 5.2 adds for packets.
enum H264NAL {
    /// Types of single NAL unit packets.
    static let single: ClosedRange<UInt8> = 1...23
    static let slice: UInt8 = 1
    static let slices: ClosedRange<UInt8> = 1...5
    static let idrSlice: UInt8 = 5
    static let sei: UInt8 = 6
    static let sequenceParameters: UInt8 = 7
    static let pictureParameters: UInt8 = 8
    static let delimiter: UInt8 = 9
    static let filler: UInt8 = 12
    static let aggregate: UInt8 = 24
    static let fragment: UInt8 = 28
    /// STAP-B, MTAP and FU-B of the interleaved mode.
    static let interleaved: Set<UInt8> = [25, 26, 27, 29]

    /// Whether a unit of this type may precede the first slice of a picture (7.4.1.2.3).
    static func isPreface(_ type: UInt8) -> Bool { (6...9).contains(type) || (14...18).contains(type) }
}
