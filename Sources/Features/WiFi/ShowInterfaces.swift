// SPDX-License-Identifier: Apache-2.0
import Commands
import Radio
import Shapes
import Venue

struct ShowInterfaces: Command {
    static let about = About(
        "interfaces", "Show the interfaces of the box: carrier, speed, errors",
        help: """
            What the kernel counts since each interface came up, and what its driver says of the wire. For addresses see \
            network-status, for radios wifi.
            """, form: .table, example: "")
    static let shape = Shape<Self>()

    func run(on wifi: WiFi) throws(Status) -> InterfaceList {
        let radios = Set(wifi.radios.map(\.name))
        return InterfaceList(
            interfaces: wifi.links.map { InterfaceRow(link: $0, isWireless: radios.contains($0.name)) })
    }
}

struct InterfaceList: Answer {
    let interfaces: [InterfaceRow]

    static let shape = Shape<Self>([
        .value("interfaces", \.interfaces, .list(of: .row), "all but the loopback")
    ])
}

struct InterfaceRow: Answer {
    let link: LinkFigures
    let isWireless: Bool

    private static func counter(
        _ name: String, _ path: any KeyPath<LinkFigures.Counters, UInt64> & Sendable, _ help: String,
        isDetail: Bool = true
    ) -> Field<Self> {
        .computed(name, .integer, shownAs: FieldDisplay(isDetail: isDetail), help) { row in
            Int64(clamping: row.link.counters[keyPath: path])
        }
    }

    static let shape = Shape<Self>([
        .value("interface", \.link.name, .text, "its name"),
        .value("isWireless", \.isWireless, .boolean, "whether it is a radio"),
        .value("isUp", \.link.isUp, .boolean, "whether it is switched on"),
        .value("hasCarrier", \.link.hasCarrier, .boolean, "whether it can carry packets"),
        .computed("speedMbps", .integer, "of the wire; absent: unknown") { $0.link.speed.map(Int64.init) },
        .computed("duplex", .text, "full or half") { $0.link.duplex?.rawValue },
        counter("receiveErrors", \.receiveErrors, "packets that came damaged", isDetail: false),
        counter("receiveDrops", \.receiveDrops, "packets for which there was no room", isDetail: false),
        .computed("address", .text, shownAs: FieldDisplay(isDetail: true), "of the interface") {
            $0.link.address?.description
        },
        .computed("mtu", .integer, shownAs: FieldDisplay(isDetail: true), "octets of the longest packet") {
            $0.link.mtu.map(Int64.init)
        },
        .computed(
            "carrierChanges", .integer, shownAs: FieldDisplay(isDetail: true), "how often the carrier came or went"
        ) { $0.link.carrierChanges.map(Int64.init) },
        counter("receivedOctets", \.octetsReceived, "octets that came"),
        counter("transmittedOctets", \.octetsSent, "octets that were sent"),
        counter("receivedPackets", \.packetsReceived, "packets that came"),
        counter("transmittedPackets", \.packetsSent, "packets that were sent"),
        counter("multicastPackets", \.multicastReceived, "packets to groups that came"),
        counter("transmitErrors", \.sendErrors, "packets that could not be sent"),
        counter("transmitDrops", \.sendDrops, "packets that were not sent for want of room"),
        counter("checksumErrors", \.checksumErrors, "packets whose checksum was wrong"),
        counter("overruns", \.overruns, "packets that the hardware had no room for"),
        counter("lengthErrors", \.lengthErrors, "packets of a wrong length"),
        counter("collisions", \.collisions, "of a shared wire"),
    ])
}
