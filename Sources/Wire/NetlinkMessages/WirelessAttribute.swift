// SPDX-License-Identifier: Apache-2.0

/// The attributes of nl80211 (`enum nl80211_attrs`) that are sent or understood here.
enum WirelessAttribute: UInt16 {
    case wiphy = 1  // NL80211_ATTR_WIPHY, u32
    case interfaceIndex = 3  // NL80211_ATTR_IFINDEX, u32
    case interfaceName = 4  // NL80211_ATTR_IFNAME, text that ends with a zero
    case interfaceType = 5  // NL80211_ATTR_IFTYPE, u32
    case address = 6  // NL80211_ATTR_MAC, 6 octets
    case stationInfo = 21  // NL80211_ATTR_STA_INFO, nested
    case alpha2 = 33  // NL80211_ATTR_REG_ALPHA2, text that ends with a zero
    case frequency = 38  // NL80211_ATTR_WIPHY_FREQ, u32, MHz
    case basicServiceSet = 47  // NL80211_ATTR_BSS, nested
    case regulatoryType = 49  // NL80211_ATTR_REG_TYPE, u8
    case ssid = 52  // NL80211_ATTR_SSID, 0...32 octets
    case reasonCode = 54  // NL80211_ATTR_REASON_CODE, u16
    case timedOut = 65  // NL80211_ATTR_TIMED_OUT, flag
    case disconnectedByAccessPoint = 71  // NL80211_ATTR_DISCONNECTED_BY_AP, flag
    case statusCode = 72  // NL80211_ATTR_STATUS_CODE, u16
    case surveyInfo = 84  // NL80211_ATTR_SURVEY_INFO, nested
    case quality = 94  // NL80211_ATTR_CQM, nested
    case transmitPower = 98  // NL80211_ATTR_WIPHY_TX_POWER_LEVEL, s32, hundredths of dBm
    case channelWidth = 159  // NL80211_ATTR_CHANNEL_WIDTH, u32
    case centreFrequency = 160  // NL80211_ATTR_CENTER_FREQ1, u32, MHz
    case secondCentreFrequency = 161  // NL80211_ATTR_CENTER_FREQ2, u32, MHz
}
