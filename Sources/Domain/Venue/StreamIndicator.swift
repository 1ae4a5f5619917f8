// SPDX-License-Identifier: Apache-2.0
import JSON

/// What is watched of a received stream: the faults of ETSI TR 101 290 5.2, and the loss of its datagrams. The names are
/// those of statistics, events and settings.
public enum StreamIndicator: Int, Sendable, CaseIterable {
    /// 1.1 TS_sync_loss: two sync bytes in a row were wrong, after five right ones.
    case syncLoss
    /// 1.2 Sync_byte_error: no 0x47 where one belongs.
    case syncByte
    /// 1.3.a PAT_error: none for too long, another table in its place, or scrambled.
    case pat
    /// 1.4 Continuity_count_error: packets are missing, out of order or too many.
    case continuityCount
    /// 1.5.a PMT_error: none for too long, or scrambled.
    case pmt
    /// 1.6 PID_error: a PID of the program's pictures, sound or clock stays away.
    case pid
    /// 2.1 Transport_error: a link before us marked the packet.
    case transport
    /// 2.2 CRC_error of PAT, CAT, PMT, NIT, SDT, BAT, EIT or TOT.
    case crc
    /// 2.3.a PCR_repetition_error.
    case pcrRepetition
    /// 2.3.b PCR_discontinuity_indicator_error.
    case pcrDiscontinuity
    /// 2.4 PCR_accuracy_error, of streams with a constant rate.
    case pcrAccuracy
    /// 2.5 PTS_error.
    case pts
    /// 2.6 CAT_error: scrambled packets without a CAT, or another table in its place.
    case cat
    /// PCRs farther apart than is recommended, though not than is allowed.
    case pcrInterval
    /// Packets that did not come to the box, or too late, and that no repair brought.
    case lostToNetwork
    /// Packets that the box's own kernel dropped since nobody took them in time.
    case lostToKernel

    /// As it stands in documents.
    public var name: String { String(describing: self) }

    /// Of TR 101 290; nil for what is none of it.
    public var priority: Int? {
        switch self {
        case .syncLoss, .syncByte, .pat, .continuityCount, .pmt, .pid: 1
        case .transport, .crc, .pcrRepetition, .pcrDiscontinuity, .pcrAccuracy, .pts, .cat: 2
        case .pcrInterval, .lostToNetwork, .lostToKernel: nil
        }
    }
}

extension StreamIndicator {
    /// Some of them.
    public struct Set: OptionSet, Hashable, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        public init(_ indicator: StreamIndicator) { rawValue = 1 << UInt32(indicator.rawValue) }

        public func contains(_ indicator: StreamIndicator) -> Bool { contains(Set(indicator)) }

        /// In their order.
        public var members: [StreamIndicator] { StreamIndicator.allCases.filter { contains($0) } }

        /// Their names, in their order.
        public var json: JSONValue { .array(members.map { .string($0.name) }) }
    }
}
