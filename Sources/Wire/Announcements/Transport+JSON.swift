// SPDX-License-Identifier: Apache-2.0
import JSON
import Time
import Venue

extension Announcement {
    /// Reads the transport of a channel (version 1).
    /// - Returns: the transport, and why its repair or second path was left out; nil if nothing was.
    static func transport(
        _ fields: AnnouncementFields
    ) throws(AnnouncementError) -> (transport: Transport, unusable: UnusableRepair?) {
        let address = try fields.value("address", expected: "a numeric multicast or unicast address") { text in
            NumericAddress(text).flatMap { $0.isMulticast || $0.isUnicast ? $0 : nil }
        }
        let port = try fields.integer("port", in: 1...65_535)
        let source = try Self.source(fields, of: address)
        let isRTP = try fields.value("encapsulation", expected: "rtp or raw") { text -> Bool? in
            switch text {
            case "rtp": true
            case "raw": false
            default: nil
            }
        }
        let payloadType = try fields.integerIfPresent("payloadType", in: 0...127) ?? 33
        var transport = Transport(
            address: address.description, port: UInt16(port), source: source?.description,
            encapsulation: isRTP ? .rtp(payloadType: UInt8(payloadType)) : .raw)
        let further = try fields.valuesIfPresent(
            "furtherSources", atMost: Bounds.furtherSources, expected: "numeric unicast addresses of the same family"
        ) { Self.source($0, of: address) }
        if source != nil { transport.furtherSources = further.map(\.description) }
        var unusable: UnusableRepair?
        if let repair = try fields.objectIfPresent("repair") {
            switch try Self.repair(repair, of: transport) {
            case .success(let repair): transport.repair = repair
            case .failure(let reason): unusable = reason
            }
        }
        if let path = try fields.objectIfPresent("secondPath") {
            let skew = try path.integerIfPresent("skewMs", in: Bounds.skewMs) ?? 50
            let second = SecondPath(endpoint: try Self.endpoint(path, of: transport), skew: .milliseconds(skew))
            if isRTP { transport.secondPath = second } else { unusable = unusable ?? .bareStream }
        }
        return (transport, unusable)
    }

    private static func repair(
        _ fields: AnnouncementFields, of transport: Transport
    ) throws(AnnouncementError) -> Result<Repair, UnusableRepair> {
        let scheme = try fields.text("scheme", lengths: Bounds.scheme)
        guard ["windows", "parity"].contains(scheme) else { return .failure(.unknownScheme(scheme)) }
        let span = Nanoseconds.milliseconds(try fields.integer("spanMs", in: Bounds.spanMs))
        let repair: Result<Repair, UnusableRepair>
        if scheme == "windows" {
            let endpoint = try Self.endpoint(fields, of: transport)
            let packets = Bounds.packets
            let sourcePackets = Int(try fields.integer("sourcePackets", in: packets))
            let repairPackets = Int(try fields.integer("repairPackets", in: packets))
            let depth = Int(try fields.integerIfPresent("depth", in: packets) ?? 1)
            let symbolOctets = Int(try fields.integerIfPresent("symbolOctets", in: packets) ?? 1_400)
            let generator = try fields.valueIfPresent("generator", expected: "peers or rfc5510") {
                RepairWindows.Generator(rawValue: $0)
            }
            do throws(UnusableRepair) {
                repair = .success(
                    .windows(
                        try RepairWindows(
                            announced: endpoint, sourcePackets: sourcePackets, repairPackets: repairPackets,
                            depth: depth, symbolOctets: symbolOctets, generator: generator ?? .peers, span: span)))
            } catch {
                repair = .failure(error)
            }
        } else {
            var parity = RepairParity(
                beside: transport.address, port: transport.port, source: transport.source, span: span)
            let columns = try fields.objectIfPresent("columns")
            let rows = try fields.objectIfPresent("rows")
            if columns != nil || rows != nil {
                parity.columns = nil
                parity.rows = nil
            }
            if let columns { parity.columns = try endpoint(columns, of: transport) }
            if let rows { parity.rows = try endpoint(rows, of: transport) }
            repair = .success(.parity(parity))
        }
        if case .raw = transport.encapsulation { return .failure(.bareStream) }
        return repair
    }

    private static func endpoint(
        _ fields: AnnouncementFields, of transport: Transport
    ) throws(AnnouncementError) -> FlowEndpoint {
        let address = try fields.valueIfPresent("address", expected: "a numeric multicast or unicast address") { text in
            NumericAddress(text).flatMap { $0.isMulticast || $0.isUnicast ? $0 : nil }
        }
        let port = try fields.integer("port", in: 1...65_535)
        var endpoint = FlowEndpoint(address: address?.description ?? transport.address, port: UInt16(port))
        if let address = address ?? NumericAddress(transport.address) {
            endpoint.source = try source(fields, of: address)?.description
        }
        return endpoint
    }

    private static func source(
        _ fields: AnnouncementFields, of address: NumericAddress
    ) throws(AnnouncementError) -> NumericAddress? {
        try fields.valueIfPresent("source", expected: "a numeric unicast address of the same family") {
            source($0, of: address)
        }
    }

    private static func source(_ text: String, of address: NumericAddress) -> NumericAddress? {
        NumericAddress(text).flatMap { $0.isUnicast && $0.isIPv6 == address.isIPv6 ? $0 : nil }
    }
}

extension Transport {
    /// The transport as version 1 has it. Version 1 has no elementary streams.
    var json: JSONValue {
        var json: JSONValue = ["address": .string(address), "port": .integer(Int64(port))]
        json["source"] = source.map(JSONValue.string)
        switch encapsulation {
        case .rtp(let payloadType):
            json["encapsulation"] = "rtp"
            json["payloadType"] = .integer(Int64(payloadType))
        case .raw: json["encapsulation"] = "raw"
        case .automatic: json["encapsulation"] = "auto"
        case .elementary: json["encapsulation"] = "elementary"
        }
        if !furtherSources.isEmpty { json["furtherSources"] = .array(furtherSources.map(JSONValue.string)) }
        json["repair"] = repair?.json
        json["secondPath"] = secondPath?.json
        return json
    }
}
