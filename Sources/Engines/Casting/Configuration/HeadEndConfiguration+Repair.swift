// SPDX-License-Identifier: Apache-2.0
import ErasureCoding
import JSON
import Settings
import Shapes
import Time
import Venue

extension HeadEndConfiguration {
    static let repairFields: [FieldDescription] =
        [
            FieldDescription(
                "scheme", .choice(["windows", "parity"]), .required,
                "windows: Reed-Solomon (RFC 6865), which only boxes play; parity: SMPTE ST 2022-1, beside which any player plays the channel."
            ),
            FieldDescription(
                "address", .formatted(.address), .optional, "Of the repair packets; absent: the channel's."),
            FieldDescription("port", .integer(1...65_535), .optional, "windows: absent: the channel's + 2."),
            FieldDescription(
                "sourcePackets", .integer(1...254), .defaulted(50), "windows: packets of the channel in each, k."),
            FieldDescription(
                "repairPackets", .integer(1...254), .defaulted(15),
                "windows: repair packets of each, r: so many may be lost of k + r, which is at most 255."),
            FieldDescription(
                "depth", .integer(1...64), .defaulted(5),
                "windows: so many take turns: a burst takes from all of them."),
            FieldDescription(
                "generator", .choice(RepairWindows.Generator.allCases.map(\.rawValue)), .defaulted("peers"),
                "windows: how the matrix is made: as OpenFEC, zfec and GStreamer do, or to the letter of RFC 5510."),
            FieldDescription(
                "spanMs", .integer(10...30_000), .optional,
                "How long after a packet its repair may come; absent: what the channel's rate needs, 2000 for a file."),
        ] + parityFields

    private static let parityFields: [FieldDescription] = [
        FieldDescription("columns", .integer(1...255), .defaulted(10), "parity: packets of a row, L."),
        FieldDescription("rows", .integer(1...255), .defaulted(10), "parity: packets of a column, D."),
        FieldDescription("hasRows", .boolean, .defaulted(true), "parity: rows are sent beside columns."),
        FieldDescription("columnPort", .integer(1...65_535), .optional, "parity: absent: the channel's + 2."),
        FieldDescription("rowPort", .integer(1...65_535), .optional, "parity: absent: the channel's + 4."),
    ]

    static let secondPathFields: [FieldDescription] = [
        FieldDescription(
            "address", .formatted(.address), .optional, "Absent: the channel's, by another interface or port."),
        FieldDescription("port", .integer(1...65_535), .optional, "Absent: the channel's."),
        FieldDescription("interface", .formatted(.interface), .defaulted(""), "Interface; \"\": network.interface."),
        FieldDescription(
            "skewMs", .integer(1...450), .defaulted(50),
            "How far one path may be behind the other: 10, 50 or 450 for classes A, B and C."),
        FieldDescription("via", .formatted(.address), .optional, "Group that it is sent to instead, as via."),
    ]

    static let plainFields: [FieldDescription] =
        [
            FieldDescription("address", .formatted(.address), .optional, "Absent: the channel's."),
            FieldDescription("port", .integer(1...65_535), .required, "UDP port."),
            FieldDescription(
                "hasParity", .boolean, .defaulted(false), "SMPTE ST 2022-1 beside it, as columns and rows say."),
        ] + parityFields

    /// The channel's own flow with its repair and second path. `channel` is from a document that passed `check`.
    static func transport(_ channel: SettingsReader, kilobitsPerSecond: Int) -> Transport {
        let usual = channel.text("kind") == "data" ? 96 : 33
        let payloadType = UInt8(clamping: channel.optionalInteger("payloadType") ?? usual)
        var transport = Transport(
            address: channel.text("address"), port: UInt16(clamping: channel.integer("port")),
            source: channel.optionalText("source"),
            encapsulation: channel.text("encapsulation") == "raw" ? .raw : .rtp(payloadType: payloadType))
        transport.repair = channel.optionalGroup("repair").map {
            repair($0, beside: transport, kilobitsPerSecond: kilobitsPerSecond)
        }
        transport.secondPath = channel.optionalGroup("secondPath").map { path in
            SecondPath(
                endpoint: FlowEndpoint(
                    address: path.optionalText("address") ?? transport.address,
                    port: path.optionalInteger("port").map { UInt16(clamping: $0) } ?? transport.port),
                skew: path.milliseconds("skewMs"))
        }
        return transport
    }

    /// - Parameter transport: transport of the channel that `plain` accompanies.
    static func plain(_ plain: SettingsReader, beside transport: Transport, kilobitsPerSecond: Int) -> Plain {
        var own = Transport(
            address: plain.optionalText("address") ?? transport.address, port: UInt16(clamping: plain.integer("port")),
            source: transport.source, encapsulation: transport.encapsulation)
        guard plain.boolean("hasParity") else { return Plain(transport: own, parity: nil) }
        let shape = parityShape(plain)
        own.repair = .parity(parity(plain, shape, beside: own, span: nil, kilobitsPerSecond: kilobitsPerSecond))
        return Plain(transport: own, parity: shape)
    }

    static func parityShape(_ group: SettingsReader) -> ParityShape {
        ParityShape(
            columns: group.integer("columns"), rows: group.integer("rows"), hasRows: group.boolean("hasRows"))
    }

    private static func repair(
        _ group: SettingsReader, beside transport: Transport, kilobitsPerSecond: Int
    ) -> Repair {
        var beside = transport
        beside.address = group.optionalText("address") ?? transport.address
        let span = group.optionalInteger("spanMs").map { Nanoseconds.milliseconds(Int64($0)) }
        guard group.text("scheme") == "windows" else {
            return .parity(
                parity(group, parityShape(group), beside: beside, span: span, kilobitsPerSecond: kilobitsPerSecond))
        }
        var windows = RepairWindows(
            endpoint: FlowEndpoint(
                address: beside.address, port: port(group.optionalInteger("port"), transport, plus: 2),
                source: transport.source),
            sourcePackets: group.integer("sourcePackets"), repairPackets: group.integer("repairPackets"),
            depth: group.integer("depth"), generator: group.choice("generator"), span: .milliseconds(2_000))
        let rate = packetsPerSecond(kilobitsPerSecond)
        windows.span = span ?? rate.map { Self.bounded(windows.leastSpan(packetsPerSecond: $0)) } ?? windows.span
        return .windows(windows)
    }

    private static func parity(
        _ group: SettingsReader, _ shape: ParityShape, beside transport: Transport, span: Nanoseconds?,
        kilobitsPerSecond: Int
    ) -> RepairParity {
        func endpoint(_ field: String, plus offset: Int) -> FlowEndpoint {
            FlowEndpoint(
                address: transport.address, port: port(group.optionalInteger(field), transport, plus: offset),
                source: transport.source)
        }
        let least = packetsPerSecond(kilobitsPerSecond).map {
            bounded(
                ParityEncoder.span(columns: shape.columns, rows: shape.rows, packetsPerSecond: max(1, Int($0)))
                    + .milliseconds(50))
        }
        return RepairParity(
            columns: endpoint("columnPort", plus: 2), rows: shape.hasRows ? endpoint("rowPort", plus: 4) : nil,
            span: span ?? least ?? .milliseconds(2_000))
    }

    private static func port(_ said: Int?, _ transport: Transport, plus offset: Int) -> UInt16 {
        UInt16(clamping: said ?? Int(transport.port) + offset)
    }

    /// nil when the bit rate is not known. A quarter less than the usual rate, since the rate of pictures varies.
    private static func packetsPerSecond(_ kilobitsPerSecond: Int) -> Double? {
        kilobitsPerSecond > 0 ? Double(kilobitsPerSecond) * 1_000 / 8 / (7 * 188) * 0.75 : nil
    }

    /// Rounds up to 10 ms and clamps to 50 ms...30 s.
    private static func bounded(_ span: Nanoseconds) -> Nanoseconds {
        .milliseconds(min(max((span.milliseconds + 9) / 10 * 10, 50), 30_000))
    }
}
