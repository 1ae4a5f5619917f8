// SPDX-License-Identifier: Apache-2.0
import Radio
import Time

/// How an interface of a radio is. What the driver does not tell is nil.
public struct RadioState: Hashable, Sendable {
    /// How the last connection ended.
    public struct Disconnect: Hashable, Sendable {
        /// nil if none was given, or no event told of the end.
        public var reason: ReasonCode?
        /// nil if no event told of the end.
        public var by: RadioEvent.Side?
        public var time: Monotonic
    }

    /// The interface as the kernel has it.
    public internal(set) var interface: RadioInterface
    public internal(set) var name: String
    /// Whether a client is connected.
    public internal(set) var isAssociated = false
    /// As `NetworkName` has it. nil for a client that is not associated, and if the network hides its name.
    public internal(set) var ssid: String?
    /// nil if this is no client, or it is not associated.
    public internal(set) var bssid: HardwareAddress?
    /// Name of the access point by `network.wifiApInfo`.
    public internal(set) var accessPoint: String?
    /// Of the interface, or else of its access point.
    public internal(set) var channel: RadioChannel?
    /// dBm, on the channel in use.
    public internal(set) var noise: Int?
    /// How much of the last ten seconds the channel in use was busy.
    public internal(set) var busyPPM: Int?
    /// What the driver tells of the access point: signal, rates, times. nil if this is no client, or it is not
    /// associated.
    public internal(set) var figures: StationFigures?
    /// 0 of a client that is not associated, else 1…10; nil if this is no client.
    public internal(set) var linkScore: Int?
    /// The radio's own, or else that of all radios.
    public internal(set) var regulatoryDomain: RegulatoryDomain?
    public internal(set) var totals = RadioTotals()
    /// nil if no connection has ended since the service started.
    public internal(set) var lastDisconnect: Disconnect?
    /// Clients of an access point, by their addresses.
    public internal(set) var stations: [StationFigures] = []
    /// Networks that were heard.
    public internal(set) var networks: [BasicServiceSet] = []

    init(_ interface: RadioInterface, name: String) {
        self.interface = interface
        self.name = name
    }

    public var band: RadioBand? { channel?.band }
    /// Average signal in dBm, or else that of the last frame.
    public var signal: Int? { figures?.averageSignal ?? figures?.signal }
}
