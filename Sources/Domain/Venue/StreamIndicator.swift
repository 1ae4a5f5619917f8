// SPDX-License-Identifier: Apache-2.0
import JSON

/// A fault that is monitored in a received stream: those of ETSI TR 101 290 §5.2, and the loss of datagrams.
/// Statistics, events and settings use these names.
public enum StreamIndicator: Int, Sendable, CaseIterable {
    /// 1.1 TS_sync_loss: two sync bytes in succession were wrong after five correct ones.
    case syncLoss
    /// 1.2 Sync_byte_error: a packet does not begin with 0x47.
    case syncByte
    /// 1.3.a PAT_error: the PAT is late or scrambled, or another table is in its place.
    case pat
    /// 1.4 Continuity_count_error: packets are missing, out of order or repeated too often.
    case continuityCount
    /// 1.5.a PMT_error: the PMT is late or scrambled.
    case pmt
    /// 1.6 PID_error: no packet arrives for a PID of the program's pictures, sound or clock.
    case pid
    /// 2.1 Transport_error: transport_error_indicator is set in the packet.
    case transport
    /// 2.2 CRC_error: the CRC of a PAT, CAT, PMT, NIT, SDT, BAT, EIT or TOT is wrong.
    case crc
    /// 2.3.a PCR_repetition_error: two PCRs are too far apart in time.
    case pcrRepetition
    /// 2.3.b PCR_discontinuity_indicator_error: two PCRs differ too much without a discontinuity_indicator.
    case pcrDiscontinuity
    /// 2.4 PCR_accuracy_error, for streams with a constant rate.
    case pcrAccuracy
    /// 2.5 PTS_error: two PTS of a PID are too far apart in time.
    case pts
    /// 2.6 CAT_error: packets are scrambled without a CAT, or another table is in its place.
    case cat
    /// The interval between PCRs is longer than recommended but still allowed.
    case pcrInterval
    /// Packets that were lost before the box or came too late, and that no repair recovered.
    case lostToNetwork
    /// Packets that the kernel of the box dropped because the receive thread did not take them in time.
    case lostToKernel

    /// The name in documents.
    public var name: String { String(describing: self) }

    /// The priority that TR 101 290 gives the indicator; nil if it does not define it.
    public var priority: Int? {
        switch self {
        case .syncLoss, .syncByte, .pat, .continuityCount, .pmt, .pid: 1
        case .transport, .crc, .pcrRepetition, .pcrDiscontinuity, .pcrAccuracy, .pts, .cat: 2
        case .pcrInterval, .lostToNetwork, .lostToKernel: nil
        }
    }
}

extension StreamIndicator {
    /// A set of indicators.
    public struct Set: OptionSet, Hashable, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        public init(_ indicator: StreamIndicator) { rawValue = 1 << UInt32(indicator.rawValue) }

        public func contains(_ indicator: StreamIndicator) -> Bool { contains(Set(indicator)) }

        /// The members in the order of declaration.
        public var members: [StreamIndicator] { StreamIndicator.allCases.filter { contains($0) } }

        /// The names of the members, in the order of declaration.
        public var json: JSONValue { .array(members.map { .string($0.name) }) }
    }
}
