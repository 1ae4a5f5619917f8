// SPDX-License-Identifier: Apache-2.0
import Bytes
import Radio

extension RadioInterface {
    /// Reads the attributes of NL80211_CMD_NEW_INTERFACE, _SET_INTERFACE or _DEL_INTERFACE.
    /// - Throws: `invalid` also if no radio is named.
    init(from body: inout WireReader) throws(WireError) {
        let start = body.offset
        var wiphy: UInt32?
        var channel = ChannelAttributes()
        var interface = RadioInterface(index: nil, name: nil, wiphy: 0)
        try body.forEachAttribute { (type, value) throws(WireError) in
            let attribute = WirelessAttribute(rawValue: type)
            switch attribute {
            case .wiphy: wiphy = try value.readWhole()
            case .interfaceIndex: interface.index = try value.readWhole()
            case .interfaceName: interface.name = value.readInterfaceName()
            case .interfaceType: interface.mode = Mode(try value.readWhole(UInt32.self))
            case .address: interface.address = try value.readHardwareAddress()
            case .ssid: interface.ssid = value.readNetworkName()
            case .transmitPower: interface.transmitPower = try value.readPower()
            default: try channel.take(attribute, &value)
            }
        }
        guard let wiphy else { throw WireError(.invalid("nl80211 interface without radio", 0), at: start) }
        interface.wiphy = wiphy
        interface.channel = channel.channel
        self = interface
    }
}

extension RadioInterface.Mode {
    fileprivate init(_ number: UInt32) {
        self =
            switch number {
            case 2: .station  // NL80211_IFTYPE_STATION
            case 3: .accessPoint  // NL80211_IFTYPE_AP
            default: .other(number)
            }
    }
}
