// SPDX-License-Identifier: Apache-2.0
import Bytes
import Radio

extension StationFigures {
    /// Attributes that are nested in NL80211_ATTR_STA_INFO (`enum nl80211_sta_info`).
    private enum Attribute: UInt16 {
        case inactive = 1  // NL80211_STA_INFO_INACTIVE_TIME, u32, ms
        case octetsReceived32 = 2  // NL80211_STA_INFO_RX_BYTES, u32
        case octetsSent32 = 3  // NL80211_STA_INFO_TX_BYTES, u32
        case signal = 7  // NL80211_STA_INFO_SIGNAL, s8, dBm
        case transmitRate = 8  // NL80211_STA_INFO_TX_BITRATE, nested
        case packetsReceived = 9  // NL80211_STA_INFO_RX_PACKETS, u32
        case packetsSent = 10  // NL80211_STA_INFO_TX_PACKETS, u32
        case retries = 11  // NL80211_STA_INFO_TX_RETRIES, u32
        case failures = 12  // NL80211_STA_INFO_TX_FAILED, u32
        case averageSignal = 13  // NL80211_STA_INFO_SIGNAL_AVG, s8, dBm
        case receiveRate = 14  // NL80211_STA_INFO_RX_BITRATE, nested
        case connected = 16  // NL80211_STA_INFO_CONNECTED_TIME, u32, s
        case flags = 17  // NL80211_STA_INFO_STA_FLAGS, struct nl80211_sta_flag_update
        case beaconLosses = 18  // NL80211_STA_INFO_BEACON_LOSS, u32
        case octetsReceived = 23  // NL80211_STA_INFO_RX_BYTES64, u64
        case octetsSent = 24  // NL80211_STA_INFO_TX_BYTES64, u64
        case chainSignals = 25  // NL80211_STA_INFO_CHAIN_SIGNAL, nested
        case averageChainSignals = 26  // NL80211_STA_INFO_CHAIN_SIGNAL_AVG, nested
        case expectedThroughput = 27  // NL80211_STA_INFO_EXPECTED_THROUGHPUT, u32, kbit/s
        case drops = 28  // NL80211_STA_INFO_RX_DROP_MISC, u64
        case beaconsReceived = 29  // NL80211_STA_INFO_BEACON_RX, u64
        case averageBeaconSignal = 30  // NL80211_STA_INFO_BEACON_SIGNAL_AVG, s8, dBm
        case airtimeReceived = 32  // NL80211_STA_INFO_RX_DURATION, u64, µs
        case mpdusReceived = 36  // NL80211_STA_INFO_RX_MPDUS, u32
        case checksumErrors = 37  // NL80211_STA_INFO_FCS_ERROR_COUNT, u32
        case airtimeSent = 39  // NL80211_STA_INFO_TX_DURATION, u64, µs
    }

    /// Bits of `struct nl80211_sta_flag_update`.
    private static let authorised: UInt32 = 1 << 1  // NL80211_STA_FLAG_AUTHORIZED
    private static let associated: UInt32 = 1 << 7  // NL80211_STA_FLAG_ASSOCIATED

    /// Reads the attributes of NL80211_CMD_NEW_STATION.
    /// - Throws: `invalid` also if no interface or no station is named.
    init(from body: inout WireReader) throws(WireError) {
        let start = body.offset
        var (interface, address): (UInt32?, HardwareAddress?)
        var figures: WireReader?
        try body.forEachAttribute { (type, value) throws(WireError) in
            switch WirelessAttribute(rawValue: type) {
            case .interfaceIndex: interface = try value.readWhole()
            case .address: address = try value.readHardwareAddress()
            case .stationInfo: figures = value
            default: break
            }
        }
        guard let interface, let address else {
            throw WireError(.invalid("nl80211 station without interface or address", 0), at: start)
        }
        self.init(interface: interface, address: address)
        if var figures { try readFigures(&figures) }
    }

    private mutating func readFigures(_ nested: inout WireReader) throws(WireError) {
        var (received, sent): (UInt32?, UInt32?)
        try nested.forEachAttribute { (type, value) throws(WireError) in
            switch Attribute(rawValue: type) {
            case .inactive: inactive = .milliseconds(try value.readWhole(UInt32.self))
            case .octetsReceived32: received = try value.readWhole()
            case .octetsSent32: sent = try value.readWhole()
            case .signal: signal = try value.readSignal()
            case .transmitRate: transmitRate = try BitRate(from: &value)
            case .packetsReceived: packetsReceived = try value.readWhole()
            case .packetsSent: packetsSent = try value.readWhole()
            case .retries: retries = try value.readWhole()
            case .failures: failures = try value.readWhole()
            case .averageSignal: averageSignal = try value.readSignal()
            case .receiveRate: receiveRate = try BitRate(from: &value)
            case .connected: connected = .seconds(try value.readWhole(UInt32.self))
            case .flags: try readFlags(&value)
            case .beaconLosses: beaconLosses = try value.readWhole()
            case .octetsReceived: octetsReceived = try value.readWhole()
            case .octetsSent: octetsSent = try value.readWhole()
            case .chainSignals: chainSignals = try value.readChainSignals()
            case .averageChainSignals: averageChainSignals = try value.readChainSignals()
            case .expectedThroughput: expectedThroughput = try value.readWhole()
            case .drops: drops = try value.readWhole()
            case .beaconsReceived: beaconsReceived = try value.readWhole()
            case .averageBeaconSignal: averageBeaconSignal = try value.readSignal()
            case .airtimeReceived: airtimeReceived = .microseconds(try value.readWhole(UInt64.self))
            case .mpdusReceived: mpdusReceived = try value.readWhole()
            case .checksumErrors: checksumErrors = try value.readWhole()
            case .airtimeSent: airtimeSent = .microseconds(try value.readWhole(UInt64.self))
            case nil: break
            }
        }
        octetsReceived = octetsReceived ?? received.map { UInt64($0) }
        octetsSent = octetsSent ?? sent.map { UInt64($0) }
    }

    /// A flag whose bit is not in the mask is not known. The structure may grow at its end.
    private mutating func readFlags(_ value: inout WireReader) throws(WireError) {
        let mask = try value.readNative(UInt32.self)
        let flags = try value.readNative(UInt32.self)
        isAuthorised = mask & Self.authorised == 0 ? nil : flags & Self.authorised != 0
        isAssociated = mask & Self.associated == 0 ? nil : flags & Self.associated != 0
    }
}
