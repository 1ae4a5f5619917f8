// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes
import Time
import Venue

extension Settings {
    /// The flows of a channel beside its first, in the members that announcements have.
    static let besideFields = [
        FieldDescription(
            "furtherSources", .list(of: .formatted(.address), 0...10), .defaulted([]),
            "Further senders of the same channel, tried one after the other when source is silent."),
        FieldDescription("repair", .record(repairFields), .optional, "How lost packets are repaired; for rtp only."),
        FieldDescription(
            "secondPath", .record(secondPathFields), .optional,
            "A second copy of the same packets by another group, port or interface (SMPTE ST 2022-7); for rtp only."),
        FieldDescription("contentType", .text(3...128), .optional, "Media type of a data channel's messages."),
    ]

    private static let endpointFields = [
        FieldDescription("address", .formatted(.address), .optional, "Multicast group; absent: the channel's."),
        FieldDescription(
            "port", .integer(1...65_535), .optional,
            "UDP port; absent: the one that the convention of the scheme gives."),
        FieldDescription(
            "source", .formatted(.address), .optional,
            "Address of the only sender that is received (source-specific multicast)."),
        FieldDescription(
            "interface", .text(1...15), .optional, "Interface on which the group is joined; absent: network.interface."),
    ]

    private static let repairFields =
        [
            FieldDescription(
                "scheme", .choice(["parity", "windows"]), .required,
                "parity: SMPTE ST 2022-1, as ffmpeg's prompeg sends it; windows: Reed-Solomon (RFC 6865)."),
            FieldDescription(
                "spanMs", .integer(1...30_000), .defaulted(1_000),
                "Longest time from a packet to its last repair packet."),
            FieldDescription(
                "columns", .record(endpointFields), .optional,
                "Flow of column parity. Without columns and rows they are at the channel's port + 2 and + 4."),
            FieldDescription("rows", .record(endpointFields), .optional, "Flow of row parity."),
            FieldDescription(
                "sourcePackets", .integer(1...254), .defaulted(100), "Number of source packets of a window, k."),
            FieldDescription(
                "repairPackets", .integer(1...254), .defaulted(30),
                "Number of repair packets of a window, r; k + r is at most 255."),
            FieldDescription(
                "depth", .integer(1...64), .defaulted(1), "Interleaving depth: number of windows that are sent in turn."
            ),
            FieldDescription(
                "symbolOctets", .integer(15...2_048), .defaulted(1_400),
                "Octets of a symbol of windows: the longest RTP packet plus three."),
            FieldDescription(
                "generator", .choice(RepairWindows.Generator.allCases.map(\.rawValue)), .defaulted("peers"),
                "How the generator matrix of windows is made."),
        ] + endpointFields

    private static let secondPathFields =
        endpointFields + [
            FieldDescription(
                "skewMs", .integer(1...10_000), .defaulted(50), "Largest delay of one path against the other.")
        ]

    static func checkBeside(
        _ channel: SettingsReader, refuse: (_ field: String, _ value: JSONValue, _ expectation: String) -> Void
    ) {
        let isRaw = channel.text("encapsulation") == "raw"
        for (index, text) in channel.texts("furtherSources").enumerated()
        where !isSource(text, of: channel.text("address")) {
            refuse("furtherSources/\(index)", .string(text), "a unicast address of the same IP version as the group")
        }
        func check(_ endpoint: SettingsReader, _ path: String) {
            let address = endpoint.optionalText("address") ?? channel.text("address")
            guard let text = endpoint.optionalText("source"), !isSource(text, of: address) else { return }
            refuse("\(path)/source", .string(text), "a unicast address of the same IP version as the group")
        }
        if let repair = channel.optionalGroup("repair") {
            if isRaw { refuse("repair", .null, "absent, since raw packets have no sequence numbers") }
            let packets = repair.integer("sourcePackets") + repair.integer("repairPackets")
            if packets > 255 {
                refuse(
                    "repair/repairPackets", .integer(Int64(repair.integer("repairPackets"))),
                    "at most 255 with sourcePackets")
            }
            let octets = repair.integer("depth") * packets * repair.integer("symbolOctets")
            if octets > RepairWindows.mostOctets {
                refuse(
                    "repair/depth", .integer(Int64(repair.integer("depth"))),
                    "so few windows that they take at most \(RepairWindows.mostOctets >> 20) MiB")
            }
            if repair.text("scheme") == "windows", repair.optionalInteger("port") == nil {
                refuse("repair/port", .null, "the port of the repair packets")
            }
            check(repair, "repair")
            for name in ["columns", "rows"] { repair.optionalGroup(name).map { check($0, "repair/\(name)") } }
        }
        if let path = channel.optionalGroup("secondPath") {
            if isRaw { refuse("secondPath", .null, "absent, since raw packets have no sequence numbers") }
            check(path, "secondPath")
        }
    }

    private static func isSource(_ text: String, of address: String) -> Bool {
        // A text that is no address has been reported already.
        guard let source = NumericAddress(text), let group = NumericAddress(address) else { return true }
        return !source.isMulticast && source.isIPv6 == group.isIPv6
    }
}

extension Transport {
    /// Adds the flows beside the first.
    mutating func read(_ channel: SettingsReader) {
        furtherSources = source == nil ? [] : channel.texts("furtherSources")
        repair = channel.optionalGroup("repair").map { Repair($0, of: self) }
        secondPath = channel.optionalGroup("secondPath").map { path in
            SecondPath(endpoint: FlowEndpoint(path, of: self, port: port), skew: path.milliseconds("skewMs"))
        }
    }
}

extension Repair {
    fileprivate init(_ group: SettingsReader, of transport: Transport) {
        let span = group.milliseconds("spanMs")
        if group.text("scheme") == "windows" {
            self = .windows(
                RepairWindows(
                    endpoint: FlowEndpoint(group, of: transport, port: transport.port),
                    sourcePackets: group.integer("sourcePackets"), repairPackets: group.integer("repairPackets"),
                    depth: group.integer("depth"), symbolOctets: group.integer("symbolOctets"),
                    generator: group.choice("generator"), span: span))
            return
        }
        let (columns, rows) = (group.optionalGroup("columns"), group.optionalGroup("rows"))
        var parity = RepairParity(
            beside: transport.address, port: transport.port, source: transport.source, span: span)
        if columns != nil || rows != nil {
            let usual = parity
            parity.columns = columns.map { FlowEndpoint($0, of: transport, port: usual.columns?.port ?? .max) }
            parity.rows = rows.map { FlowEndpoint($0, of: transport, port: usual.rows?.port ?? .max) }
        }
        self = .parity(parity)
    }
}

extension FlowEndpoint {
    fileprivate init(_ group: SettingsReader, of transport: Transport, port: UInt16) {
        self.init(
            address: group.optionalText("address") ?? transport.address,
            port: group.optionalInteger("port").map { UInt16(clamping: $0) } ?? port,
            source: group.optionalText("source"), interface: group.optionalText("interface"))
    }
}
