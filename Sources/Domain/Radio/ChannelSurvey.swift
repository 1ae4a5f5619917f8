// SPDX-License-Identifier: Apache-2.0

/// What a radio has heard on one channel. What a driver does not measure is nil. Times begin when the radio does, or at
/// the last visit to the channel; they may step back. A channel's load is how much `busy` grows while `active` grows.
public struct ChannelSurvey: Hashable, Sendable {
    /// Index of the network interface.
    public var interface: UInt32
    /// Centre of the channel in MHz. nil if the figures are those of the whole radio.
    public var frequency: UInt32?
    /// Noise in dBm, -128...127.
    public var noise: Int?
    /// Whether the radio uses the channel. Some drivers never say so: then the channel is found by its frequency.
    public var isInUse: Bool
    /// How long the radio was on the channel, in whole milliseconds, as all times here.
    public var active: Duration?
    /// How long the channel was busy, by traffic or by energy.
    public var busy: Duration?
    /// How long the extension channel was busy.
    public var extensionBusy: Duration?
    /// How long the radio received.
    public var receiving: Duration?
    /// How long the radio transmitted.
    public var transmitting: Duration?

    public init(interface: UInt32, frequency: UInt32? = nil, isInUse: Bool = false) {
        self.interface = interface
        self.frequency = frequency
        self.isInUse = isInUse
    }
}
