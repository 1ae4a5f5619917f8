// SPDX-License-Identifier: Apache-2.0
import Hosting
import Radio
import Radios
import Shapes

extension RadioNews.AccessPoint {
    /// Its name, or else its BSSID.
    var text: String { name ?? bssid?.description ?? "unknown" }
}

/// The event that a radio of the box is connected to an access point.
struct WifiConnected: FeatureEvent {
    let interface: String?
    let accessPoint: RadioNews.AccessPoint

    static let about = EventAbout(.network, "wifiConnected", "A radio is connected to an access point.")
    static let shape = Shape<Self>([
        .unlessNil("interface", \.interface, .text, "its name"),
        .value("bssid", \.accessPoint.bssid?.description, .optional(.text), "of the access point, or null"),
        .unlessNil("accessPoint", \.accessPoint.name, .text, "its name by network.wifiApInfo"),
    ])
}

/// The event that a radio of the box has lost its access point.
struct WifiDisconnected: FeatureEvent {
    let interface: String?
    let accessPoint: RadioNews.AccessPoint
    let reason: ReasonCode?
    let side: RadioEvent.Side?

    static let about = EventAbout(.network, "wifiDisconnected", "A radio has lost its access point.")
    static let shape = Shape<Self>([
        .unlessNil("interface", \.interface, .text, "its name"),
        .value("bssid", \.accessPoint.bssid?.description, .optional(.text), "of the access point, or null"),
        .unlessNil("accessPoint", \.accessPoint.name, .text, "its name by network.wifiApInfo"),
        .computed("reason", .integer, "reason code of IEEE 802.11; absent: none was given") { event in
            event.reason.map { Int64($0.rawValue) }
        },
        .unlessNil("why", \.reason?.meaning, .text, "what the reason code means"),
        .unlessNil("by", \.side?.name, .text, "who ended it: accessPoint or station, which is the box"),
    ])
}

extension RadioEvent.Side {
    var name: String {
        switch self {
        case .accessPoint: "accessPoint"
        case .station: "station"
        }
    }
}

/// The event that a radio of the box moved from one access point to another.
struct WifiRoamed: FeatureEvent {
    let interface: String?
    let left: RadioNews.AccessPoint
    let accessPoint: RadioNews.AccessPoint

    static let about = EventAbout(.network, "wifiRoamed", "A radio moved from one access point to another.")
    static let shape = Shape<Self>([
        .unlessNil("interface", \.interface, .text, "its name"),
        .value("bssid", \.accessPoint.bssid?.description, .optional(.text), "of the access point, or null"),
        .unlessNil("accessPoint", \.accessPoint.name, .text, "its name by network.wifiApInfo"),
        .value("fromBssid", \.left.bssid?.description, .optional(.text), "of the access point before, or null"),
        .unlessNil("fromAccessPoint", \.left.name, .text, "the name of that"),
    ])
}

/// The event that something else about a radio changed.
struct WifiChanged: FeatureEvent {
    let interface: String?
    let what: String
    let value: String?

    init(_ news: RadioNews) {
        interface = news.interface
        switch news.kind {
        case .connectionFailed(let status): (what, value) = ("connectionFailed", status.map { "\($0)" })
        case .signalFell(let signal): (what, value) = ("signalFell", signal.map { "\($0)" })
        case .signalRose(let signal): (what, value) = ("signalRose", signal.map { "\($0)" })
        case .beaconsLost: (what, value) = ("beaconsLost", nil)
        case .stationJoined(let address): (what, value) = ("stationJoined", address.description)
        case .stationLeft(let address): (what, value) = ("stationLeft", address.description)
        case .channelSwitched(let channel): (what, value) = ("channelSwitched", channel.number.map { "\($0)" })
        case .regulatoryChanged(let name): (what, value) = ("regulatoryChanged", name)
        case .scanFinished: (what, value) = ("scanFinished", nil)
        case .connected, .disconnected, .roamed: (what, value) = ("connection", nil)
        }
    }

    static let about = EventAbout(.network, "wifiChanged", "Something about a radio changed, or it tells of trouble.")
    static let shape = Shape<Self>([
        .unlessNil("interface", \.interface, .text, "its name; absent: all radios"),
        .value(
            "what", \.what, .text,
            """
            connectionFailed, signalFell, signalRose, beaconsLost, stationJoined, stationLeft, channelSwitched, \
            regulatoryChanged
            """),
        .unlessNil("value", \.value, .text, "status code, dBm, address, channel or country"),
    ])
}
