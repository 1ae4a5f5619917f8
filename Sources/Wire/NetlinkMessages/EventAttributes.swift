// SPDX-License-Identifier: Apache-2.0
import Bytes
import Radio

/// The attributes that events have. Which of them are there depends on the command.
struct EventAttributes {
    /// Attributes that are nested in NL80211_ATTR_CQM (`enum nl80211_attr_cqm`).
    private enum QualityAttribute: UInt16 {
        case threshold = 3  // NL80211_ATTR_CQM_RSSI_THRESHOLD_EVENT, u32
        case packetsLost = 4  // NL80211_ATTR_CQM_PKT_LOSS_EVENT, u32
        case failedPercent = 5  // NL80211_ATTR_CQM_TXE_RATE, u32
        case failedPackets = 6  // NL80211_ATTR_CQM_TXE_PKTS, u32
        case beaconsLost = 8  // NL80211_ATTR_CQM_BEACON_LOSS_EVENT, flag
        case signal = 9  // NL80211_ATTR_CQM_RSSI_LEVEL, s32, dBm
    }

    private(set) var interface: UInt32?
    private(set) var wiphy: UInt32?
    private(set) var address: HardwareAddress?
    private(set) var reason: ReasonCode?
    private(set) var channel = ChannelAttributes()
    /// nil if the event is not about quality.
    private(set) var quality: RadioEvent.Kind?
    private var status: UInt16 = 0
    private var isTimedOut = false
    private var isByAccessPoint = false
    private var alpha2: String?
    private var regulatoryType: UInt8?

    init(from body: inout WireReader) throws(WireError) {
        try body.forEachAttribute { (type, value) throws(WireError) in
            let attribute = WirelessAttribute(rawValue: type)
            switch attribute {
            case .interfaceIndex: interface = try value.readWhole()
            case .wiphy: wiphy = try value.readWhole()
            case .address: address = try value.readHardwareAddress()
            case .statusCode: status = try value.readWhole()
            case .timedOut: isTimedOut = true
            case .reasonCode:
                let code = try value.readWhole(UInt16.self)
                reason = code == 0 ? nil : ReasonCode(rawValue: code)
            case .disconnectedByAccessPoint: isByAccessPoint = true
            case .alpha2: alpha2 = value.readAlpha2()
            case .regulatoryType: regulatoryType = try value.readWhole()
            case .quality: quality = try Self.readQuality(&value)
            default: try channel.take(attribute, &value)
            }
        }
    }

    /// How an attempt to connect ended. A status that is missing is 0.
    var connection: RadioEvent.Kind {
        if isTimedOut { return .connectionFailed(status: nil) }
        return status == 0 ? .connected : .connectionFailed(status: status)
    }

    var side: RadioEvent.Side { isByAccessPoint ? .accessPoint : .station }

    /// nil if the kernel does not name it.
    func domain(of wiphy: UInt32?) -> RegulatoryDomain? {
        RegulatoryDomain(type: regulatoryType, alpha2: alpha2, wiphy: wiphy)
    }

    /// nil if none of the attributes is known.
    private static func readQuality(_ nested: inout WireReader) throws(WireError) -> RadioEvent.Kind? {
        var (threshold, lost, percent, packets): (UInt32?, UInt32?, UInt32?, UInt32?)
        var signal: Int?
        var areBeaconsLost = false
        try nested.forEachAttribute { (type, value) throws(WireError) in
            switch QualityAttribute(rawValue: type) {
            case .threshold: threshold = try value.readWhole()
            case .packetsLost: lost = try value.readWhole()
            case .failedPercent: percent = try value.readWhole()
            case .failedPackets: packets = try value.readWhole()
            case .beaconsLost: areBeaconsLost = true
            case .signal: signal = Int(try value.readWhole(Int32.self))
            case nil: break
            }
        }
        switch threshold {
        case 0: return .signalFell(signal: signal)  // NL80211_CQM_RSSI_THRESHOLD_EVENT_LOW
        case 1: return .signalRose(signal: signal)  // NL80211_CQM_RSSI_THRESHOLD_EVENT_HIGH
        case 2: return .beaconsLost  // NL80211_CQM_RSSI_BEACON_LOSS_EVENT, of old kernels
        default: break
        }
        if areBeaconsLost { return .beaconsLost }
        if let lost { return .packetsLost(lost) }
        return percent == nil && packets == nil ? nil : .transmissionsFailed(percent: percent)
    }
}
