// SPDX-License-Identifier: Apache-2.0

/// Where one further flow of a channel is received: repair packets, or the same packets by another path.
public struct FlowEndpoint: Hashable, Sendable {
    /// Multicast group, or a unicast address of the box; numeric.
    public var address: String
    public var port: UInt16
    /// The one sender of a source-specific join (SSM); nil if any sender is accepted.
    public var source: String?
    /// Name of the network interface; nil uses the channel's interface.
    public var interface: String?

    public init(address: String, port: UInt16, source: String? = nil, interface: String? = nil) {
        self.address = address
        self.port = port
        self.source = source
        self.interface = interface
    }
}
