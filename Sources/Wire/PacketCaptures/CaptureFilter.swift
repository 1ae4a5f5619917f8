// SPDX-License-Identifier: Apache-2.0
import Venue

/// Which frames are captured: those that meet everything that is given here.
public struct CaptureFilter: Equatable, Sendable {
    public enum Kind: String, CaseIterable, Sendable {
        /// IGMP, and MLD, which is that of IPv6: who joins and leaves which group, and who asks.
        case igmp
        /// ARP, and the neighbour discovery of IPv6: who has which address.
        case arp
    }

    /// The source or the destination, of IP or of ARP.
    public var address: NumericAddress?
    /// The source or the destination of UDP. Fragments but the first have no ports, and are left out.
    public var port: UInt16?
    public var kind: Kind?

    public init(address: NumericAddress? = nil, port: UInt16? = nil, kind: Kind? = nil) {
        (self.address, self.port, self.kind) = (address, port, kind)
    }

    /// Why no frame can meet it; nil if one can.
    public var problem: String? {
        if port == 0 { return "port is 0; expected 1...65535" }
        guard let kind, let port else { return nil }
        return "port is \(port); expected none, because \(kind.rawValue) has no ports"
    }
}

extension CaptureFilter: CustomStringConvertible {
    /// As people read it; "everything" if nothing is left out.
    public var description: String {
        let parts = [kind?.rawValue, address.map { "address \($0)" }, port.map { "UDP port \($0)" }]
        let given = parts.compactMap { $0 }
        return given.isEmpty ? "everything" : given.joined(separator: ", ")
    }
}
