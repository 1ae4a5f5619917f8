// SPDX-License-Identifier: Apache-2.0
import Bytes
import Radio

extension BasicServiceSet {
    /// Attributes that are nested in NL80211_ATTR_BSS (`enum nl80211_bss`).
    private enum Attribute: UInt16 {
        case address = 1  // NL80211_BSS_BSSID, 6 octets
        case frequency = 2  // NL80211_BSS_FREQUENCY, u32, MHz
        case beaconInterval = 4  // NL80211_BSS_BEACON_INTERVAL, u16
        case capabilities = 5  // NL80211_BSS_CAPABILITY, u16
        case elements = 6  // NL80211_BSS_INFORMATION_ELEMENTS, of the probe response if there was one
        case signal = 7  // NL80211_BSS_SIGNAL_MBM, s32, hundredths of dBm
        case relativeSignal = 8  // NL80211_BSS_SIGNAL_UNSPEC, u8, 0...100
        case status = 9  // NL80211_BSS_STATUS, u32
        case age = 10  // NL80211_BSS_SEEN_MS_AGO, u32, ms
        case beaconElements = 11  // NL80211_BSS_BEACON_IES
    }

    private static let associated: UInt32 = 1  // NL80211_BSS_STATUS_ASSOCIATED
    /// Bit of the capability information: data is encrypted.
    private static let privacy: UInt16 = 0x0010

    /// Reads the attributes of NL80211_CMD_NEW_SCAN_RESULTS in an answer.
    /// - Throws: `invalid` also if there is no NL80211_ATTR_BSS.
    init(from body: inout WireReader) throws(WireError) {
        let start = body.offset
        var interface: UInt32?
        var nested: WireReader?
        try body.forEachAttribute { (type, value) throws(WireError) in
            switch WirelessAttribute(rawValue: type) {
            case .interfaceIndex: interface = try value.readWhole()
            case .basicServiceSet: nested = value
            default: break
            }
        }
        guard var nested else { throw WireError(.invalid("nl80211 scan result without BSS", 0), at: start) }
        self.init(interface: interface, address: nil)
        try readDescription(&nested)
    }

    private mutating func readDescription(_ nested: inout WireReader) throws(WireError) {
        var (answer, beacon): (WireReader?, WireReader?)
        try nested.forEachAttribute { (type, value) throws(WireError) in
            switch Attribute(rawValue: type) {
            case .address: address = try value.readHardwareAddress()
            case .frequency: frequency = try value.readWhole()
            case .beaconInterval: beaconInterval = try value.readWhole()
            case .capabilities: capabilities = try value.readWhole()
            case .elements: answer = value
            case .signal: signal = try value.readPower()
            case .relativeSignal: relativeSignal = Int(try value.readWhole(UInt8.self))
            case .status: isAssociated = try value.readWhole(UInt32.self) == Self.associated
            case .age: age = .milliseconds(try value.readWhole(UInt32.self))
            case .beaconElements: beacon = value
            case nil: break
            }
        }
        // A hidden network tells its name in the answer alone, and some tell their load in beacons alone.
        var elements = InformationElements()
        if let answer { elements.read(answer) }
        if let beacon { elements.read(beacon) }
        ssid = elements.ssid
        load = elements.load
        let isPrivate = capabilities.map { $0 & Self.privacy != 0 }
        isProtected = isPrivate == nil && elements.isEmpty ? nil : isPrivate == true || elements.hasSecurity
    }
}
