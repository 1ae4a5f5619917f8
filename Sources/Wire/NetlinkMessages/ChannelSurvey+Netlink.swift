// SPDX-License-Identifier: Apache-2.0
import Bytes
import Radio

extension ChannelSurvey {
    /// Attributes that are nested in NL80211_ATTR_SURVEY_INFO (`enum nl80211_survey_info`).
    private enum Attribute: UInt16 {
        case frequency = 1  // NL80211_SURVEY_INFO_FREQUENCY, u32, MHz
        case noise = 2  // NL80211_SURVEY_INFO_NOISE, s8, dBm
        case isInUse = 3  // NL80211_SURVEY_INFO_IN_USE, flag
        case active = 4  // NL80211_SURVEY_INFO_TIME, u64, ms
        case busy = 5  // NL80211_SURVEY_INFO_TIME_BUSY, u64, ms
        case extensionBusy = 6  // NL80211_SURVEY_INFO_TIME_EXT_BUSY, u64, ms
        case receiving = 7  // NL80211_SURVEY_INFO_TIME_RX, u64, ms
        case transmitting = 8  // NL80211_SURVEY_INFO_TIME_TX, u64, ms
    }

    /// Reads the attributes of NL80211_CMD_NEW_SURVEY_RESULTS.
    /// - Throws: `invalid` also if no interface is named.
    init(from body: inout WireReader) throws(WireError) {
        let start = body.offset
        var interface: UInt32?
        var figures: WireReader?
        try body.forEachAttribute { (type, value) throws(WireError) in
            switch WirelessAttribute(rawValue: type) {
            case .interfaceIndex: interface = try value.readWhole()
            case .surveyInfo: figures = value
            default: break
            }
        }
        guard let interface else { throw WireError(.invalid("nl80211 survey without interface", 0), at: start) }
        self.init(interface: interface)
        if var figures { try readFigures(&figures) }
    }

    private mutating func readFigures(_ nested: inout WireReader) throws(WireError) {
        try nested.forEachAttribute { (type, value) throws(WireError) in
            switch Attribute(rawValue: type) {
            case .frequency: frequency = try value.readWhole()
            case .noise: noise = try value.readSignal()
            case .isInUse: isInUse = true
            case .active: active = .milliseconds(try value.readWhole(UInt64.self))
            case .busy: busy = .milliseconds(try value.readWhole(UInt64.self))
            case .extensionBusy: extensionBusy = .milliseconds(try value.readWhole(UInt64.self))
            case .receiving: receiving = .milliseconds(try value.readWhole(UInt64.self))
            case .transmitting: transmitting = .milliseconds(try value.readWhole(UInt64.self))
            case nil: break
            }
        }
    }
}
