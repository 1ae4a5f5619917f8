// SPDX-License-Identifier: Apache-2.0
import Commands
import Radio
import Radios
import Shapes
import Time
import Venue

struct ShowWifi: Command {
    static let about = About(
        "wifi", "Show the radios of the box: access point, signal, rates, losses",
        help: """
            What the kernel and its driver say, once a second. What a driver does not tell is null. Counters are those \
            since the service started, over all associations. linkScore is 0 (none) to 10 (excellent): by the distance of \
            signal and noise, less failures, retries and missed beacons.
            """, form: .table, example: "")
    static let shape = Shape<Self>()

    func run(on wifi: WiFi) throws(Status) -> WifiStatus { WifiStatus(radios: wifi.radios.map { RadioRow(state: $0) }) }
}

struct WifiStatus: Answer {
    let radios: [RadioRow]

    static let shape = Shape<Self>([
        .value("radios", \.radios, .list(of: .row), "each interface of a radio")
    ])
}

/// One interface of a radio.
struct RadioRow: Answer {
    let state: RadioState

    private var mode: String {
        switch state.interface.mode {
        case .station: "station"
        case .accessPoint: "accessPoint"
        case .other, nil: "other"
        }
    }
    private var stations: [StationRow] { state.stations.map { StationRow(figures: $0) } }
    private var roams: Int64 { Int64(clamping: state.totals.roams) }
    private var connects: Int64 { Int64(clamping: state.totals.connects) }
    private var disconnects: Int64 { Int64(clamping: state.totals.disconnects) }
    private var chains: [Int64]? { state.figures?.chainSignals?.map(Int64.init) }

    private static func total(_ counter: RadioCounter, _ help: String) -> Field<Self> {
        .computed(counter.rawValue, .integer, shownAs: FieldDisplay(isDetail: true), help) { row in
            row.state.totals[counter].map { Int64(clamping: $0) }
        }
    }

    static let shape = Shape<Self>([
        .value("interface", \.state.name, .text, "its name"),
        .value("mode", \.mode, .choice(["station", "accessPoint", "other"]), "client or access point"),
        .computed("ssid", .text, "the network; absent: none") { $0.state.ssid },
        .computed("accessPoint", .text, "its name by network.wifiApInfo") { $0.state.accessPoint },
        .computed("bssid", .text, "the access point; absent: not associated") { $0.state.bssid?.description },
        .computed("channel", .integer, "number of the control channel") { $0.state.channel?.number.map(Int64.init) },
        .computed("signalDbm", .integer, "average signal") { $0.state.signal.map(Int64.init) },
        .computed("linkScore", .integer, "0 is none, 10 excellent") { $0.state.linkScore.map(Int64.init) },
        .computed("address", .text, shownAs: FieldDisplay(isDetail: true), "of the interface") {
            $0.state.interface.address?.description
        },
        .computed("frequencyMHz", .integer, shownAs: FieldDisplay(isDetail: true), "centre of the control channel") {
            $0.state.channel.map { Int64($0.controlFrequency) }
        },
        .computed("band", .text, shownAs: FieldDisplay(isDetail: true), "of the channel") { $0.state.band?.text },
        .computed("widthMHz", .integer, shownAs: FieldDisplay(isDetail: true), "of the channel") {
            $0.state.channel?.width.map(Int64.init)
        },
        .computed("noiseDbm", .integer, shownAs: FieldDisplay(isDetail: true), "on the channel") {
            $0.state.noise.map(Int64.init)
        },
        .computed("busyPPM", .integer, shownAs: FieldDisplay(isDetail: true), "how busy the channel was, last 10 s") {
            $0.state.busyPPM.map(Int64.init)
        },
        .computed("chainSignalsDbm", .list(of: .integer), shownAs: FieldDisplay(isDetail: true), "at each antenna") {
            $0.chains
        },
        .computed("beaconSignalDbm", .integer, shownAs: FieldDisplay(isDetail: true), "average of beacons") {
            $0.state.figures?.averageBeaconSignal.map(Int64.init)
        },
        .computed("receiveRate", .text, shownAs: FieldDisplay(isDetail: true), "of the last frame received") {
            $0.state.figures?.receiveRate?.text
        },
        .computed("transmitRate", .text, shownAs: FieldDisplay(isDetail: true), "of the last frame sent") {
            $0.state.figures?.transmitRate?.text
        },
        .computed("expectedKbps", .integer, shownAs: FieldDisplay(isDetail: true), "what the driver expects of it") {
            $0.state.figures?.expectedThroughput.map(Int64.init)
        },
        .computed("connectedS", .integer, shownAs: FieldDisplay(isDetail: true), "seconds of the association") {
            $0.state.figures?.connected?.components.seconds
        },
        .computed("regulatory", .text, shownAs: FieldDisplay(isDetail: true), "whose rules it keeps: a country") {
            $0.state.regulatoryDomain?.alpha2
        },
        total(.receivedOctets, "octets that came"), total(.transmittedOctets, "octets that were sent"),
        total(.receivedPackets, "packets that came"), total(.transmittedPackets, "packets that were sent"),
        total(.transmitRetries, "frames that were sent once more"),
        total(.transmitFailures, "frames that were given up"),
        total(.beaconLosses, "how often beacons were missed"),
        .detail("roams", \.roams, .count, "how often it moved to another access point"),
        .detail("connects", \.connects, .count, "how often it was connected"),
        .detail("disconnects", \.disconnects, .count, "how often a connection ended"),
        .computed("lastDisconnect", .text, shownAs: FieldDisplay(isDetail: true), "why the last connection ended") {
            $0.state.lastDisconnect.map { $0.reason?.description ?? "unknown" }
        },
        .detail("stations", \.stations, .list(of: .row), "clients of an access point"),
    ])
}

/// A client of an access point.
struct StationRow: Answer {
    let figures: StationFigures

    static let shape = Shape<Self>([
        .value("address", \.figures.address.description, .text, "of the client"),
        .computed("signalDbm", .integer, "how it is heard") { $0.figures.signal.map(Int64.init) },
        .computed("receiveRate", .text, "of the last frame from it") { $0.figures.receiveRate?.text },
        .computed("transmitRate", .text, "of the last frame to it") { $0.figures.transmitRate?.text },
        .computed("connectedS", .integer, "seconds of its association") { $0.figures.connected?.components.seconds },
        .computed("inactiveMs", .integer, "since it was last heard") {
            $0.figures.inactive?.milliseconds
        },
        .computed("receivedOctets", .integer, "from it") { $0.figures.octetsReceived.map { Int64(clamping: $0) } },
        .computed("transmittedOctets", .integer, "to it") { $0.figures.octetsSent.map { Int64(clamping: $0) } },
    ])
}

extension BitRate {
    /// Such as `65.0 Mbit/s HT MCS 7, 1 stream, 20 MHz`.
    var text: String {
        var parts: [String] = []
        if let value { parts.append("\(value / 10).\(value % 10) Mbit/s") }
        guard kind != .legacy else { return parts.joined() }
        let mcs = mcs.map { " MCS \($0)" } ?? ""
        parts.append("\("\(kind)".uppercased())\(mcs)")
        if let nss { parts.append(nss == 1 ? "1 stream" : "\(nss) streams") }
        if let width { parts.append("\(width) MHz") }
        return parts.joined(separator: ", ")
    }
}
