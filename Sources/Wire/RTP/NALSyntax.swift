// SPDX-License-Identifier: Apache-2.0

/// The NAL units of a coding and the packets that carry them: H.264 by RFC 6184, HEVC by RFC 7798.
enum NALSyntax: Sendable {
    case h264, hevc

    /// What a packet carries.
    enum Content {
        case single, aggregate, fragment, unsupported, invalid
    }

    /// What a NAL unit is to the picture that it is part of.
    enum Role: Equatable {
        case slice(isEntry: Bool)
        case parameters(ParameterSets)
        /// Supplemental information, which may be that of a recovery point.
        case information
        case delimiter, filler
        /// Any other unit that can only precede the first slice.
        case preface
        case other

        /// Whether it can only precede the first slice of a picture (ISO/IEC 14496-10 7.4.1.2.3, 23008-2 7.4.2.4.4).
        var isPreface: Bool {
            switch self {
            case .parameters, .information, .delimiter, .preface: true
            case .slice, .filler, .other: false
            }
        }
    }

    /// Kinds of parameter sets.
    struct ParameterSets: OptionSet {
        let rawValue: UInt8
        static let sequence = ParameterSets(rawValue: 1)
        static let picture = ParameterSets(rawValue: 2)
        static let video = ParameterSets(rawValue: 4)
    }

    /// Octets of a unit's header.
    var headerOctets: Int { self == .h264 ? 1 : 2 }

    /// The parameter sets that every picture needs.
    var neededSets: ParameterSets { self == .h264 ? [.sequence, .picture] : [.video, .sequence, .picture] }

    /// nal_unit_type.
    /// - Parameter header: the first octet of a unit.
    func type(_ header: UInt8) -> UInt8 { self == .h264 ? header & 0x1F : header >> 1 & 0x3F }

    /// The first octet of the unit that a fragment is of.
    /// - Parameter indicator: the first octet of the packet.
    /// - Parameter flags: the octet that has the start bit, the end bit and the type.
    func header(ofFragment flags: UInt8, in indicator: UInt8) -> UInt8 {
        self == .h264 ? indicator & 0xE0 | flags & 0x1F : indicator & 0x81 | (flags & 0x3F) << 1
    }

    /// - Parameter header: the first octet of a packet or unit.
    func content(_ header: UInt8) -> Content {
        switch (self, type(header)) {
        case (.h264, 1...23), (.hevc, 0...47): .single
        case (.h264, 24), (.hevc, 48): .aggregate
        case (.h264, 28), (.hevc, 49): .fragment
        // STAP-B, MTAP and FU-B of the interleaved mode; PACI.
        case (.h264, 25...27), (.h264, 29), (.hevc, 50): .unsupported
        default: .invalid
        }
    }

    /// - Parameter header: the first octet of a unit.
    func role(_ header: UInt8) -> Role {
        switch (self, type(header)) {
        case (.h264, 5), (.hevc, 16...23): .slice(isEntry: true)
        case (.h264, 1...5), (.hevc, 0...31): .slice(isEntry: false)
        case (.hevc, 32): .parameters(.video)
        case (.h264, 7), (.hevc, 33): .parameters(.sequence)
        case (.h264, 8), (.hevc, 34): .parameters(.picture)
        case (.h264, 6), (.hevc, 39): .information
        case (.h264, 9), (.hevc, 35): .delimiter
        case (.h264, 12), (.hevc, 38): .filler
        case (.h264, 14...18), (.hevc, 41...44): .preface
        default: .other
        }
    }
}
