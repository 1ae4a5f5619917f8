// SPDX-License-Identifier: Apache-2.0

/// Where one flow of a channel is heard beside its first: repair packets, or the same packets by another path.
public struct FlowEndpoint: Hashable, Sendable {
    /// Multicast group or own unicast address, numeric.
    public var address: String
    public var port: UInt16
    /// Source-specific join (SSM) when there.
    public var source: String?
    /// Name of the interface; nil: the channel's.
    public var interface: String?

    public init(address: String, port: UInt16, source: String? = nil, interface: String? = nil) {
        self.address = address
        self.port = port
        self.source = source
        self.interface = interface
    }
}
