// SPDX-License-Identifier: Apache-2.0
import Bytes
import Radio

/// The attributes of a message that together describe a channel, in any order.
struct ChannelAttributes {
    /// MHz by number (`enum nl80211_chan_width`), from NL80211_CHAN_WIDTH_20_NOHT to NL80211_CHAN_WIDTH_320. Number 4
    /// is NL80211_CHAN_WIDTH_80P80.
    private static let widths = [20, 20, 40, 80, 160, 160, 5, 10, 1, 2, 4, 8, 16, 320]

    private var frequency: UInt32?
    private var width: Int?
    private var centre: UInt32?
    private var secondCentre: UInt32?

    /// Reads the value of an attribute if that describes a channel.
    mutating func take(_ attribute: WirelessAttribute?, _ value: inout WireReader) throws(WireError) {
        switch attribute {
        case .frequency: frequency = try value.readWhole()
        case .channelWidth:
            let number = try value.readWhole(UInt32.self)
            width = number < Self.widths.count ? Self.widths[Int(number)] : nil
        case .centreFrequency: centre = try value.readWhole()
        case .secondCentreFrequency: secondCentre = try value.readWhole()
        default: break
        }
    }

    /// nil without a frequency.
    var channel: RadioChannel? {
        frequency.map {
            RadioChannel(
                controlFrequency: $0, width: width, centreFrequency: centre, secondCentreFrequency: secondCentre)
        }
    }
}
