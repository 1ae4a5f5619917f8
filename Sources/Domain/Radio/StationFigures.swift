// SPDX-License-Identifier: Apache-2.0

/// What a driver has counted and measured of a station: for a client that is its access point, for an access point each
/// of its clients. What a driver does not count is nil. Counters begin with the association, and those of 32 bits wrap.
public struct StationFigures: Hashable, Sendable {
    /// Index of the network interface.
    public var interface: UInt32
    /// Address of the station: for a client, the BSSID of its access point.
    public var address: HardwareAddress

    // MARK: Signal

    /// Signal of the last frame in dBm, -128...127.
    public var signal: Int?
    /// Average signal in dBm.
    public var averageSignal: Int?
    /// Signal of the last frame in dBm at each antenna that the driver tells, in their order, at most 16.
    public var chainSignals: [Int]?
    /// Average signal in dBm at each antenna, likewise.
    public var averageChainSignals: [Int]?
    /// Average signal of beacons in dBm. Only clients have it.
    public var averageBeaconSignal: Int?

    // MARK: Rates

    /// Rate of the last data frame that the station sent us. nil also until it sent one.
    public var receiveRate: BitRate?
    /// Rate at which we send to the station.
    public var transmitRate: BitRate?
    /// What the driver expects to get through, in kbit/s.
    public var expectedThroughput: UInt32?

    // MARK: Traffic

    /// Octets from the station. Where the kernel has only 32 bits of them, they wrap.
    public var octetsReceived: UInt64?
    /// Octets to the station, likewise.
    public var octetsSent: UInt64?
    /// Packets from the station.
    public var packetsReceived: UInt32?
    /// Packets to the station.
    public var packetsSent: UInt32?
    /// MPDUs from the station.
    public var mpdusReceived: UInt32?

    // MARK: Losses

    /// MPDUs that were sent to the station once more.
    public var retries: UInt32?
    /// MPDUs to the station that were given up.
    public var failures: UInt32?
    /// Packets from the station that were dropped for other reasons than those that are counted apart.
    public var drops: UInt64?
    /// MPDUs from the station whose checksum was wrong. Those whose sender could not be told are missing.
    public var checksumErrors: UInt32?
    /// Beacons from the access point. Only clients have it.
    public var beaconsReceived: UInt64?
    /// How often no beacons were heard for so long that the driver noticed. Only clients have it.
    public var beaconLosses: UInt32?

    // MARK: Time

    /// Since the last activity, in whole milliseconds.
    public var inactive: Duration?
    /// Since the association, in whole seconds.
    public var connected: Duration?
    /// Time that frames from the station have been on the air, in microseconds.
    public var airtimeReceived: Duration?
    /// Time that frames to the station have been on the air, in microseconds.
    public var airtimeSent: Duration?

    // MARK: Flags

    /// Whether the station has been let in, by key or IEEE 802.1X, so that its data passes.
    public var isAuthorised: Bool?
    /// Whether the station is associated with the access point, or the access point with us.
    public var isAssociated: Bool?

    public init(interface: UInt32, address: HardwareAddress) {
        self.interface = interface
        self.address = address
    }
}
