// SPDX-License-Identifier: Apache-2.0
import Commands
import Radio
import Radios
import Shapes
import System
import Time
import Venue

struct ScanWifi: DeferredCommand {
    var fresh = false
    var interface: String?

    static let about = About(
        "wifi-scan", "Show the networks that the radios hear, and how long ago",
        help: """
            The supplicant scans now and then; ageMs says when each network was last heard. --fresh has it scan now, which \
            takes seconds and may disturb what plays over that radio.
            """, role: .operator, form: .table, example: "")
    static let shape = Shape<Self>([
        .option("fresh", \.fresh, .boolean, "Scan now."),
        .optionalArgument(
            "interface", \.interface, .absentOr(.formatted(.interface)), "The radio; all of them if it is left out."),
    ])

    func run(on wifi: WiFi, _ reply: Reply<HeardNetworks>) {
        if let interface, !wifi.radios.contains(where: { $0.name == interface }) {
            let names = wifi.radios.map(\.name).joined(separator: ", ")
            return reply(
                .failure(
                    .failure(
                        .failed,
                        "interface is \"\(interface)\"; expected a radio of the box\(names.isEmpty ? "" : ": ")\(names)"
                    )))
        }
        guard fresh else { return reply(.success(HeardNetworks(wifi, interface))) }
        wifi.scan(interface) { [weak wifi] result in
            guard let wifi else { return }
            reply(result.map { HeardNetworks(wifi, interface) })
        }
    }
}

struct HeardNetworks: Answer {
    let networks: [NetworkRow]

    init(_ wifi: WiFi, _ interface: String?) {
        let since = wifi.observed.map { SystemClock.monotonic() - $0 } ?? .zero
        let names = wifi.names
        networks = wifi.radios.filter { interface == nil || $0.name == interface }.flatMap { radio in
            radio.networks.map { network in
                NetworkRow(
                    interface: radio.name, network: network, since: since,
                    accessPoint: network.address.flatMap { names[$0] })
            }
        }.sorted { ($0.network.signal ?? -1_000, $1.text) > ($1.network.signal ?? -1_000, $0.text) }
    }

    static let shape = Shape<Self>([
        .value("networks", \.networks, .list(of: .row), "what is heard, the strongest first")
    ])
}

/// A network that was heard by a radio.
struct NetworkRow: Answer {
    let interface: String
    let network: BasicServiceSet
    /// The time since the kernel told of it.
    let since: Nanoseconds
    let accessPoint: String?

    var text: String { NetworkName.text(network.ssid) ?? "" }
    private var channel: RadioChannel? { network.frequency.map { RadioChannel(controlFrequency: $0) } }

    static let shape = Shape<Self>([
        .value("ssid", \.text, .text, "the network; empty: it hides its name"),
        .computed("bssid", .text, "the access point") { $0.network.address?.description },
        .unlessNil("accessPoint", \.accessPoint, .text, "its name by network.wifiApInfo"),
        .computed("channel", .integer, "number of the channel") { $0.channel?.number.map(Int64.init) },
        .computed("signalDbm", .integer, "of the last beacon or answer") { $0.network.signal.map(Int64.init) },
        .value("isAssociated", \.network.isAssociated, .boolean, "whether the radio is connected to it"),
        .computed("ageMs", .integer, "since it was last heard") { row in
            row.network.age.map { $0.milliseconds + row.since.milliseconds }
        },
        .detail("interface", \.interface, .text, "the radio that heard it"),
        .computed("frequencyMHz", .integer, shownAs: FieldDisplay(isDetail: true), "centre of the channel") {
            $0.network.frequency.map(Int64.init)
        },
        .computed("band", .text, shownAs: FieldDisplay(isDetail: true), "of the channel") { $0.channel?.band?.text },
        .computed("isProtected", .boolean, shownAs: FieldDisplay(isDetail: true), "whether it wants a key or a login") {
            $0.network.isProtected
        },
        .computed("stations", .integer, shownAs: FieldDisplay(isDetail: true), "clients that it says it has") {
            $0.network.load.map { Int64($0.stations) }
        },
        .computed("busyPPM", .integer, shownAs: FieldDisplay(isDetail: true), "how busy it says its channel is") {
            $0.network.load.map { Int64($0.utilisation) * 1_000_000 / 255 }
        },
    ])
}
