// SPDX-License-Identifier: Apache-2.0
import Bytes
import Radio

extension BitRate {
    /// Attributes of a rate (`enum nl80211_rate_info`).
    private enum Attribute: UInt16 {
        case value16 = 1  // NL80211_RATE_INFO_BITRATE, u16, 100 kbit/s
        case mcs = 2  // NL80211_RATE_INFO_MCS, u8
        case width40 = 3  // NL80211_RATE_INFO_40_MHZ_WIDTH, flag
        case shortGuardInterval = 4  // NL80211_RATE_INFO_SHORT_GI, flag
        case value = 5  // NL80211_RATE_INFO_BITRATE32, u32, 100 kbit/s
        case vhtMCS = 6  // NL80211_RATE_INFO_VHT_MCS, u8
        case vhtNSS = 7  // NL80211_RATE_INFO_VHT_NSS, u8
        case width80 = 8  // NL80211_RATE_INFO_80_MHZ_WIDTH, flag
        case width80And80 = 9  // NL80211_RATE_INFO_80P80_MHZ_WIDTH, flag
        case width160 = 10  // NL80211_RATE_INFO_160_MHZ_WIDTH, flag
        case width10 = 11  // NL80211_RATE_INFO_10_MHZ_WIDTH, flag
        case width5 = 12  // NL80211_RATE_INFO_5_MHZ_WIDTH, flag
        case heMCS = 13  // NL80211_RATE_INFO_HE_MCS, u8
        case heNSS = 14  // NL80211_RATE_INFO_HE_NSS, u8
        case heGuardInterval = 15  // NL80211_RATE_INFO_HE_GI, u8
        case heResourceUnit = 17  // NL80211_RATE_INFO_HE_RU_ALLOC, u8
        case width320 = 18  // NL80211_RATE_INFO_320_MHZ_WIDTH, flag
        case ehtMCS = 19  // NL80211_RATE_INFO_EHT_MCS, u8
        case ehtNSS = 20  // NL80211_RATE_INFO_EHT_NSS, u8
        case ehtGuardInterval = 21  // NL80211_RATE_INFO_EHT_GI, u8
        case ehtResourceUnit = 22  // NL80211_RATE_INFO_EHT_RU_ALLOC, u8
    }

    /// ns by number (`enum nl80211_he_gi` and `nl80211_eht_gi`).
    private static let guardIntervals = [800, 1_600, 3_200]

    /// Reads the attributes that are nested in NL80211_STA_INFO_TX_BITRATE or _RX_BITRATE. Without a flag for the width
    /// it is 20 MHz.
    init(from nested: inout WireReader) throws(WireError) {
        var rate = BitRate(value: nil, kind: .legacy)
        var narrowValue: UInt16?
        var hasShortInterval = false
        var isPart = false
        try nested.forEachAttribute { (type, value) throws(WireError) in
            switch Attribute(rawValue: type) {
            case .value16: narrowValue = try value.readWhole()
            case .value: rate.value = try value.readWhole()
            case .mcs: try rate.readScheme(.ht, &value)
            case .vhtMCS: try rate.readScheme(.vht, &value)
            case .heMCS: try rate.readScheme(.he, &value)
            case .ehtMCS: try rate.readScheme(.eht, &value)
            case .vhtNSS, .heNSS, .ehtNSS: rate.nss = Int(try value.readWhole(UInt8.self))
            case .shortGuardInterval: hasShortInterval = true
            case .heGuardInterval, .ehtGuardInterval:
                let number = Int(try value.readWhole(UInt8.self))
                rate.guardInterval = number < Self.guardIntervals.count ? Self.guardIntervals[number] : nil
            case .heResourceUnit, .ehtResourceUnit: isPart = true
            case .width5: rate.width = 5
            case .width10: rate.width = 10
            case .width40: rate.width = 40
            case .width80: rate.width = 80
            case .width80And80, .width160: rate.width = 160
            case .width320: rate.width = 320
            case nil: break
            }
        }
        rate.value = rate.value ?? narrowValue.map { UInt32($0) }
        if isPart { rate.width = nil }
        if rate.kind == .ht, let mcs = rate.mcs { rate.nss = Self.streams(ofHT: mcs) }
        if rate.kind == .ht || rate.kind == .vht { rate.guardInterval = hasShortInterval ? 400 : 800 }
        self = rate
    }

    private mutating func readScheme(_ kind: Kind, _ value: inout WireReader) throws(WireError) {
        mcs = Int(try value.readWhole(UInt8.self))
        self.kind = kind
    }

    /// IEEE 802.11 §19.5: eight schemes for each number of streams, then one of a single stream. nil for all others.
    private static func streams(ofHT mcs: Int) -> Int? {
        switch mcs {
        case 0..<32: mcs / 8 + 1
        case 32: 1
        default: nil
        }
    }
}
