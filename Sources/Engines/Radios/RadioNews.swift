// SPDX-License-Identifier: Apache-2.0
import Radio

/// Something that happened to a radio and that people want to hear of.
public struct RadioNews: Hashable, Sendable {
    /// An access point and what people call it.
    public struct AccessPoint: Hashable, Sendable {
        /// nil if the kernel does not say.
        public var bssid: HardwareAddress?
        /// By `network.wifiApInfo`; nil if nobody has named it.
        public var name: String?

        public init(bssid: HardwareAddress?, name: String? = nil) {
            self.bssid = bssid
            self.name = name
        }
    }

    public enum Kind: Hashable, Sendable {
        // MARK: As a client

        case connected(to: AccessPoint)
        /// - status: by IEEE 802.11 table 9-50; nil if the access point did not answer in time.
        case connectionFailed(status: UInt16?)
        /// - reason: nil if none was given, or no event told of the end.
        /// - by: nil if no event told of the end.
        case disconnected(from: AccessPoint, reason: ReasonCode?, by: RadioEvent.Side?)
        case roamed(from: AccessPoint, to: AccessPoint)
        /// - signal: dBm; nil if the kernel does not say. The same below.
        case signalFell(signal: Int?)
        case signalRose(signal: Int?)
        case beaconsLost

        // MARK: As an access point

        case stationJoined(HardwareAddress)
        case stationLeft(HardwareAddress)

        // MARK: Of both

        case scanFinished
        case channelSwitched(RadioChannel)
        /// The country, or what stands in its place; nil if the kernel does not name it.
        case regulatoryChanged(alpha2: String?)
    }

    /// Name of the interface. nil if the news is of all radios.
    public var interface: String?
    public var kind: Kind

    public init(interface: String?, _ kind: Kind) {
        self.interface = interface
        self.kind = kind
    }
}

extension RadioNews.Kind {
    static let count = 12

    /// Number of the kind among all, from 0.
    var ordinal: Int {
        switch self {
        case .connected: 0
        case .connectionFailed: 1
        case .disconnected: 2
        case .roamed: 3
        case .signalFell: 4
        case .signalRose: 5
        case .beaconsLost: 6
        case .stationJoined: 7
        case .stationLeft: 8
        case .scanFinished: 9
        case .channelSwitched: 10
        case .regulatoryChanged: 11
        }
    }
}
