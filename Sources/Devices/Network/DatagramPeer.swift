// SPDX-License-Identifier: Apache-2.0
import CNetworkShims
import Venue

/// A socket address: where datagrams come from or go to.
public struct DatagramPeer: Hashable, Sendable, CustomStringConvertible {
    public var address: NumericAddress
    public var port: UInt16
    /// Index of the interface that a link-local IPv6 address belongs to; 0 for any other address.
    public var interface: UInt32

    public init(_ address: NumericAddress, port: UInt16, interface: UInt32 = 0) {
        (self.address, self.port, self.interface) = (address, port, interface)
    }

    init(_ peer: touchline_peer) {
        let halves = withUnsafeBytes(of: peer.address) { octets in
            (
                UInt64(bigEndian: octets.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: octets.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
        address =
            peer.family == 6
            ? NumericAddress(v6: halves.0, halves.1) : NumericAddress(v4: UInt32(truncatingIfNeeded: halves.0 >> 32))
        (port, interface) = (peer.port, peer.interface)
    }

    /// As the kernel's calls take it.
    var shim: touchline_peer {
        var peer = touchline_peer()
        (peer.family, peer.port, peer.interface) = (address.isIPv6 ? 6 : 4, port, interface)
        withUnsafeMutableBytes(of: &peer.address) { octets in
            octets.storeBytes(of: (address.isIPv6 ? address.high : address.low << 32).bigEndian, as: UInt64.self)
            octets.storeBytes(of: (address.isIPv6 ? address.low : 0).bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        return peer
    }

    public var description: String {
        let zone = interface == 0 ? "" : "%\(interface)"
        return address.isIPv6 ? "[\(address)\(zone)]:\(port)" : "\(address):\(port)"
    }
}
