// SPDX-License-Identifier: Apache-2.0
import Bytes

/// What the kernel is asked of its radios. None of these needs a privilege.
///
/// ```
///  0        4        6       8          12     16        17        18         20
/// | length | family | flags | sequence | port | command | version | reserved | attributes
/// ```
/// All in the machine's byte order.
public enum WirelessRequest: Hashable, Sendable {
    /// All interfaces of all radios, each as a `RadioInterface`.
    case interfaces
    /// One interface, by its index.
    case interface(UInt32)
    /// `StationFigures` of each station that the interface knows: for a client, its access point.
    case stations(of: UInt32)
    /// A `ChannelSurvey` of each channel.
    case surveys(of: UInt32)
    /// A `BasicServiceSet` for each network that was heard lately.
    case scanResults(of: UInt32)
    /// The `RegulatoryDomain` of all radios, and that of each radio with rules of its own.
    case regulatoryDomains

    /// Whether several messages may answer, of which `done` is the last. Otherwise a single one does.
    public var isAnsweredByList: Bool {
        if case .interface = self { false } else { true }
    }

    /// The datagram that asks.
    /// - Parameter family: number that the kernel has given to nl80211.
    /// - Parameter sequence: that the answers will have; above 0, as events have 0.
    public func octets(family: UInt16, sequence: UInt32) -> [UInt8] {
        precondition(sequence != 0)
        var request = NetlinkRequest(
            family: family, command: command.rawValue, version: 0, isForList: isAnsweredByList, sequence: sequence)
        if let index { request.append(attribute: WirelessAttribute.interfaceIndex.rawValue, index) }
        return request.octets
    }

    private var command: WirelessCommand {
        switch self {
        case .interfaces, .interface: .getInterface
        case .stations: .getStation
        case .surveys: .getSurvey
        case .scanResults: .getScan
        case .regulatoryDomains: .getRegulatoryDomain
        }
    }

    private var index: UInt32? {
        switch self {
        case .interface(let index), .stations(let index), .surveys(let index), .scanResults(let index): index
        case .interfaces, .regulatoryDomains: nil
        }
    }
}
