// SPDX-License-Identifier: Apache-2.0

/// The commands of nl80211 (`enum nl80211_commands`) that are sent or understood here.
enum WirelessCommand: UInt8 {
    // MARK: Requests
    case getInterface = 5  // NL80211_CMD_GET_INTERFACE
    case getStation = 17  // NL80211_CMD_GET_STATION
    /// Also the command of its answers.
    case getRegulatoryDomain = 31  // NL80211_CMD_GET_REG
    case getScan = 32  // NL80211_CMD_GET_SCAN
    case getSurvey = 50  // NL80211_CMD_GET_SURVEY

    // MARK: Answers, some of which are events as well
    case newInterface = 7  // NL80211_CMD_NEW_INTERFACE
    case newStation = 19  // NL80211_CMD_NEW_STATION
    case newScanResults = 34  // NL80211_CMD_NEW_SCAN_RESULTS
    case newSurveyResults = 51  // NL80211_CMD_NEW_SURVEY_RESULTS

    // MARK: Events
    case setInterface = 6  // NL80211_CMD_SET_INTERFACE
    case deleteInterface = 8  // NL80211_CMD_DEL_INTERFACE
    case deleteStation = 20  // NL80211_CMD_DEL_STATION
    case triggerScan = 33  // NL80211_CMD_TRIGGER_SCAN
    case scanAborted = 35  // NL80211_CMD_SCAN_ABORTED
    case regulatoryChange = 36  // NL80211_CMD_REG_CHANGE
    case connect = 46  // NL80211_CMD_CONNECT
    case roam = 47  // NL80211_CMD_ROAM
    case disconnect = 48  // NL80211_CMD_DISCONNECT
    case notifyQuality = 64  // NL80211_CMD_NOTIFY_CQM
    case channelSwitch = 88  // NL80211_CMD_CH_SWITCH_NOTIFY
    case wiphyRegulatoryChange = 113  // NL80211_CMD_WIPHY_REG_CHANGE
}
