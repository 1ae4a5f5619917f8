// SPDX-License-Identifier: Apache-2.0
import Commands
import Radios
import Shapes
import Venue

struct ShowWifiLosses: Command {
    static let about = About(
        "wifi-losses", "Show what was lost over each access point",
        help: """
            Since the service started: packets of the channels that play, by the access point over which they came or \
            should have come.
            """, form: .table, example: "")
    static let shape = Shape<Self>()

    func run(on wifi: WiFi) throws(Status) -> WifiLosses {
        WifiLosses(accessPoints: wifi.losses.map { LossRow(figures: $0) })
    }
}

struct WifiLosses: Answer {
    let accessPoints: [LossRow]

    static let shape = Shape<Self>([
        .value("accessPoints", \.accessPoints, .list(of: .row), "each that the box was associated with")
    ])
}

struct LossRow: Answer {
    let figures: AccessPointFigures

    static let shape = Shape<Self>([
        .value("bssid", \.figures.bssid.description, .text, "the access point"),
        .unlessNil("name", \.figures.name, .text, "by network.wifiApInfo"),
        .computed("channel", .integer, "number of its channel") { $0.figures.channel?.number.map(Int64.init) },
        .value("seconds", \.figures.seconds, .integer, "how long the box was associated with it"),
        .value("packets", \.figures.packets, .integer, "packets that came"),
        .value("lost", \.figures.lost, .integer, "packets that nothing brought"),
        .value("windows", \.figures.windows, .integer, "protection windows"),
        .value("failedWindows", \.figures.failedWindows, .integer, "windows that could not be repaired"),
        .computed("signalDbm", .integer, "mean of its signal") { $0.figures.signal.map(Int64.init) },
        .unlessNil("ssid", \.figures.ssid, .text, shownAs: FieldDisplay(isDetail: true), "its network"),
    ])
}
