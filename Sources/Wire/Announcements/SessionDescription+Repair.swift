// SPDX-License-Identifier: Apache-2.0
import Time
import Venue

extension SessionDescription {
    /// Attribute for parameters of windows that FECFRAME cannot express: `k=100; r=30; depth=6; generator=peers`.
    /// Without it k is 200, r is 55, windows do not take turns (depth 1), and the generator is `peers`.
    public static let windowsAttribute = "x-touchline-windows"
    /// Attribute for the time in milliseconds by which one copy may lag behind the other; 50 if not stated.
    public static let skewAttribute = "x-touchline-skew"

    /// The span of repair if `repair-window` is absent.
    static let usualSpan = Nanoseconds.seconds(1)

    /// The repair of a medium: the first of its repair flows that can be used, or its rows and columns of parity
    /// together.
    /// - Returns: nil if nothing repairs it; a failure if there is repair, but none that can be used.
    func repair(of source: Media, _ transport: Transport) -> Result<Repair?, UnusableRepair> {
        var parity = RepairParity(columns: nil, rows: nil, span: .zero)
        var unusable: UnusableRepair?
        for media in repairs(of: source) {
            guard let flow = media.repairFlow else { continue }
            guard let endpoint = endpoint(of: media)?.flow else {
                unusable = unusable ?? .noEndpoint
                continue
            }
            switch flow.scheme {
            case .framework(let encodingID, _, let information, _):
                do throws(UnusableRepair) {
                    guard transport.encapsulation != .raw else { throw .bareStream }
                    guard encodingID == 8 else { throw .encoding(encodingID) }
                    return .success(
                        .windows(try media.windows(at: endpoint, information, span: flow.window ?? Self.usualSpan)))
                } catch {
                    unusable = unusable ?? error
                }
            case .payloadFormat(let format):
                parity.span = max(parity.span, flow.window ?? Self.usualSpan)
                if format.isOfRows ?? (Int(endpoint.port) - Int(transport.port) == 4) {
                    parity.rows = parity.rows ?? endpoint
                } else {
                    parity.columns = parity.columns ?? endpoint
                }
            }
        }
        if parity.columns != nil || parity.rows != nil { return .success(.parity(parity)) }
        return unusable.map { .failure($0) } ?? .success(nil)
    }

    /// Why the repair of the transport stream is left out; nil if it is not.
    public var unusableRepair: UnusableRepair? {
        guard let programme, case .failure(let reason) = repair(of: programme.media, programme.transport) else {
            return nil
        }
        return reason
    }

    /// The second path: the first copy of the medium with the same encapsulation. Nil if there is none.
    func secondPath(of media: Media, _ transport: Transport) -> SecondPath? {
        guard case .rtp(let payloadType) = transport.encapsulation else { return nil }
        for copy in copies(of: media) {
            guard copy.rtpFormats.contains(where: { $0.payloadType == payloadType && $0.isEncoded(as: "MP2T") }),
                let endpoint = endpoint(of: copy)?.flow
            else { continue }
            let skew = copy.value(ofAttribute: Self.skewAttribute).flatMap { Int64($0) } ?? 50
            return SecondPath(endpoint: endpoint, skew: .milliseconds(min(max(skew, 1), 10_000)))
        }
        return nil
    }

    // MARK: Writing

    /// Adds the media that repair the first medium, and its copy.
    mutating func describe(_ transport: Transport, ttl: UInt8) {
        media[0].attributes.append(Attribute(name: "mid", value: "S1"))
        var members = ["S1"]
        func add(_ endpoint: FlowEndpoint, _ name: String, _ media: Media) {
            var media = media
            media.port = endpoint.port
            media.connection = Connection(to: endpoint.address, ttl: ttl)
            let network = NumericAddress(endpoint.address)?.isIPv6 == true ? "IP6" : "IP4"
            media.attributes += Attribute(including: endpoint.source.map { [$0] } ?? [], of: network).map { [$0] } ?? []
            media.attributes.append(Attribute(name: "mid", value: name))
            self.media.append(media)
        }
        switch transport.repair {
        case .windows(let windows)?:
            media[0].attributes.append(Attribute(name: "fec-source-flow", value: " id=0; tag-len=6"))
            add(windows.endpoint, "R1", Media(describing: windows))
            members.append("R1")
        case .parity(let parity)?:
            for (endpoint, name, isOfRows) in [(parity.columns, "R1", false), (parity.rows, "R2", true)] {
                guard let endpoint else { continue }
                add(endpoint, name, Media(parityOfRows: isOfRows, span: parity.span))
                members.append(name)
            }
        case nil: break
        }
        if members.count > 1 {
            attributes.append(Attribute(name: "group", value: "FEC-FR " + members.joined(separator: " ")))
        }
        if let path = transport.secondPath {
            var copy = media[0]
            copy.attributes = copy.attributes.filter { $0.name == "rtpmap" || $0.name == "fec-source-flow" }
            copy.attributes.append(Attribute(name: Self.skewAttribute, value: "\(path.skew.milliseconds)"))
            add(path.endpoint, "S2", copy)
            attributes.append(Attribute(name: "group", value: "DUP S1 S2"))
        }
    }
}

extension RTPFormat {
    /// Whether parity is of rows rather than columns; nil if not stated. `ToP` is from the drafts before RFC 8627,
    /// which has `D` instead.
    fileprivate var isOfRows: Bool? {
        if let type = parameters.integer("ToP") { return type == 1 }
        return parameters.integer("D").map { $0 <= 1 }
    }
}

extension SessionDescription.Connection {
    /// - Parameter ttl: TTL, used for IPv4 multicast only.
    init(to address: String, ttl: UInt8) {
        let number = NumericAddress(address)
        self.init(address: address, ttl: number?.isIPv6 == false && number?.isMulticast == true ? ttl : nil)
    }
}

extension SessionDescription.Attribute {
    /// Makes a source filter; nil if there are no sources.
    init?(including sources: [String], of network: String) {
        guard !sources.isEmpty else { return nil }
        self.init(name: "source-filter", value: " incl IN \(network) * \(sources.joined(separator: " "))")
    }
}

extension SessionDescription.Media {
    /// The sender's information is named `ss-fssi` by RFC 6364 §4.4 and `fssi` by RFC 6865. The former is written; both
    /// are read.
    fileprivate init(describing windows: RepairWindows) {
        self.init(kind: "application", port: windows.endpoint.port, transportProtocol: "UDP/FEC", formats: [])
        attributes = [
            SessionDescription.Attribute(
                name: "fec-repair-flow", value: " encoding-id=8; ss-fssi=E:\(windows.symbolOctets),S:0,m:8"),
            SessionDescription.Attribute(name: "repair-window", value: "\(windows.span.milliseconds)ms"),
            SessionDescription.Attribute(
                name: SessionDescription.windowsAttribute,
                value: "k=\(windows.sourcePackets); r=\(windows.repairPackets); depth=\(windows.depth); "
                    + "generator=\(windows.generator.rawValue)"),
        ]
    }

    fileprivate init(parityOfRows isOfRows: Bool, span: Nanoseconds) {
        self.init(kind: "application", port: 0, transportProtocol: "RTP/AVP", formats: ["96"])
        attributes = [
            SessionDescription.Attribute(name: "rtpmap", value: "96 SMPTE2022-1-FEC/90000"),
            SessionDescription.Attribute(name: "fmtp", value: "96 ToP=\(isOfRows ? 1 : 0)"),
            SessionDescription.Attribute(name: "repair-window", value: "\(span.milliseconds)ms"),
        ]
    }

    fileprivate func windows(
        at endpoint: FlowEndpoint, _ information: SchemeInformation, span: Nanoseconds
    ) throws(UnusableRepair) -> RepairWindows {
        let bits = information.integer("m") ?? 8
        guard bits == 8 else { throw .fieldSize(bits) }
        let own = value(ofAttribute: SessionDescription.windowsAttribute).map { FormatParameters($0) }
        let generator = own?["generator"]
        guard let generator = RepairWindows.Generator(rawValue: generator ?? "peers") else {
            throw .unknownScheme(generator ?? "")
        }
        return try RepairWindows(
            announced: endpoint, sourcePackets: own?.integer("k") ?? 200, repairPackets: own?.integer("r") ?? 55,
            depth: own?.integer("depth") ?? 1, symbolOctets: information.integer("E") ?? 1_400, generator: generator,
            span: span)
    }
}
