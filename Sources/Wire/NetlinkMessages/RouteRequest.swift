// SPDX-License-Identifier: Apache-2.0
import Bytes
import Venue

/// What rtnetlink is asked. None of these needs a privilege.
public enum RouteRequest: Hashable, Sendable {
    /// All interfaces.
    case links
    /// All addresses of all interfaces.
    case addresses
    /// The route to an address.
    case route(toward: NumericAddress)

    /// The datagram that asks. Its answers have the sequence number 0, as events have.
    public var octets: [UInt8] {
        switch self {
        case .links, .addresses:
            let type: UInt16 = self == .links ? 18 : 22  // RTM_GETLINK, RTM_GETADDR
            var request = NetlinkRequest(type: type, isForList: true, sequence: 0)
            request.append([0, 0, 0, 0])  // struct rtgenmsg of AF_UNSPEC, padded
            return request.octets
        case .route(let address):
            let octets = address.octets
            var request = NetlinkRequest(type: 26, isForList: false, sequence: 0)  // RTM_GETROUTE
            // struct rtmsg: family, length of the destination in bits; the rest is 0.
            request.append([address.isIPv6 ? 10 : 2, UInt8(octets.count * 8)] + [UInt8](repeating: 0, count: 10))
            request.append(attribute: 1, octets)  // RTA_DST
            return request.octets
        }
    }
}
