// SPDX-License-Identifier: Apache-2.0
import JSON
import Radio

/// The member `interfaces` of a report: the wires of the box, with what was counted since the report before.
public struct LinkReport: Sendable {
    /// Interfaces that are reported; a box has a few.
    private static let mostLinks = 64

    /// A list, by the indices of the interfaces.
    public let json: JSONValue
    /// By index, because a new interface with an old name counts from 0.
    private let counters: [UInt32: LinkFigures.Counters]

    /// - Parameters:
    ///   - links: all interfaces; those without hardware are left out.
    ///   - radios: names of those that `wifi` tells of.
    ///   - before: the report before; nil for the first one since the service started.
    public init(_ links: [LinkFigures], radios: Set<String> = [], before: LinkReport? = nil) {
        let wires = links.filter { $0.isHardware && !radios.contains($0.name) }.prefix(Self.mostLinks)
        json = .array(
            wires.map { link in
                [
                    "interface": .string(link.name), "isUp": .bool(link.isUp), "hasCarrier": .bool(link.hasCarrier),
                    "speedMbps": JSONValue(known: link.speed), "duplex": JSONValue(known: link.duplex?.rawValue),
                    "totals": Self.json(link.counters, since: nil),
                    "deltas": Self.json(link.counters, since: before?.counters[link.index]),
                ]
            })
        counters = Dictionary(wires.map { ($0.index, $0.counters) }, uniquingKeysWith: { $1 })
    }

    private static let members: [(String, @Sendable (LinkFigures.Counters) -> UInt64)] = [
        ("receivedOctets", \.octetsReceived), ("transmittedOctets", \.octetsSent),
        ("receivedPackets", \.packetsReceived), ("transmittedPackets", \.packetsSent),
        ("receiveErrors", \.receiveErrors), ("transmitErrors", \.sendErrors), ("receiveDrops", \.receiveDrops),
        ("transmitDrops", \.sendDrops), ("checksumErrors", \.checksumErrors),
    ]

    private static func json(_ counters: LinkFigures.Counters, since before: LinkFigures.Counters?) -> JSONValue {
        .object(
            Dictionary(
                uniqueKeysWithValues: members.map { name, read in
                    let (now, old) = (read(counters), before.map(read) ?? 0)
                    return (name, .integer(Int64(clamping: now >= old ? now - old : now)))
                }))
    }
}
