// SPDX-License-Identifier: Apache-2.0

/// Where in the spectrum a radio sends and receives.
public struct RadioChannel: Hashable, Sendable {
    /// Centre of the control channel, which all stations of a network understand, in MHz.
    public var controlFrequency: UInt32
    /// Width of the whole channel in MHz: 1, 2, 4, 5, 8, 10, 16, 20, 40, 80, 160 or 320. That of two segments of 80 MHz
    /// is 160. nil if the kernel does not say, or says a width that is not known here.
    public var width: Int?
    /// Centre of the whole channel, or of its first segment, in MHz. nil if the kernel does not say.
    public var centreFrequency: UInt32?
    /// Centre of the second segment of 80 MHz, in MHz. nil if the channel is in one piece.
    public var secondCentreFrequency: UInt32?

    public init(
        controlFrequency: UInt32, width: Int? = nil, centreFrequency: UInt32? = nil,
        secondCentreFrequency: UInt32? = nil
    ) {
        self.controlFrequency = controlFrequency
        self.width = width
        self.centreFrequency = centreFrequency
        self.secondCentreFrequency = secondCentreFrequency
    }

    /// nil if the control frequency is in no band of IEEE 802.11.
    public var band: RadioBand? { RadioBand(frequency: controlFrequency) }

    /// Number of the control channel in its band, 1...233. nil if its frequency is not that of a channel.
    public var number: Int? { band.flatMap { $0.channelNumber(at: controlFrequency) } }
}
