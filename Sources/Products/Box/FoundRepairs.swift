// SPDX-License-Identifier: Apache-2.0
import Venue

/// Parity that the box found beside channels, by where these are received. It is remembered while the box runs, so that
/// a channel is protected from the first packet on when it is tuned again.
struct FoundRepairs {
    private static let most = 256

    private var repairs: [FlowEndpoint: RepairParity] = [:]

    /// nil if none was found, or the channel has repair of its own.
    subscript(channel: Channel) -> Repair? {
        guard channel.transport.repair == nil else { return nil }
        return repairs[Self.key(of: channel)].map { .parity($0) }
    }

    /// The channel as it is to be received.
    func completing(_ channel: Channel) -> Channel {
        var channel = channel
        channel.transport.repair = channel.transport.repair ?? self[channel]
        return channel
    }

    mutating func remember(_ parity: RepairParity, of channel: Channel) {
        let key = Self.key(of: channel)
        if repairs[key] == nil, repairs.count >= Self.most, let other = repairs.keys.first { repairs[other] = nil }
        repairs[key] = parity
    }

    mutating func forget(_ channel: Channel) { repairs[Self.key(of: channel)] = nil }

    mutating func forgetAll() { repairs = [:] }

    private static func key(of channel: Channel) -> FlowEndpoint {
        let transport = channel.transport
        return FlowEndpoint(address: transport.address, port: transport.port, source: transport.source)
    }
}
