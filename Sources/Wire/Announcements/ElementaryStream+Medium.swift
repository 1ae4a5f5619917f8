// SPDX-License-Identifier: Apache-2.0
import Venue

extension ElementaryStream {
    /// The stream as a receiver needs it. Nil if no box plays it: other codecs, units that are interleaved too far,
    /// HEVC in several sessions (RFC 7798 §7.1, tx-mode), AAC in a mode other than AAC-hbr or without its
    /// configuration.
    public var medium: ElementaryMedium? {
        guard ElementaryMedium.clockRates.contains(format.clockRate), let coding else { return nil }
        return ElementaryMedium(
            address: endpoint.address.description, port: endpoint.port, controlPort: controlPort,
            source: endpoint.source?.description, excludedSources: endpoint.excluded.map(\.description),
            payloadType: format.payloadType, clockRate: format.clockRate,
            coding: coding)
    }

    private var coding: ElementaryMedium.Coding? {
        let parameters = format.parameters
        switch format.encodingName.lowercased() {
        case "h264":
            let sets = parameters.base64List("sprop-parameter-sets") ?? []
            switch parameters.integer("packetization-mode") ?? 0 {
            case 0...1: return .h264(parameterSets: sets)
            case 2:
                return interleavingDepth("sprop-interleaving-depth", octets: "sprop-deint-buf-req")
                    .map { .h264(parameterSets: sets, interleavingDepth: $0) }
            default: return nil
            }
        case "h265":
            guard parameters["tx-mode"].map({ $0.uppercased() == "SRST" }) ?? true else { return nil }
            let sets = ["sprop-vps", "sprop-sps", "sprop-pps"].flatMap { parameters.base64List($0) ?? [] }
            guard parameters.integer("sprop-max-don-diff") ?? 0 > 0 else { return .hevc(parameterSets: sets) }
            return interleavingDepth("sprop-depack-buf-nalus", octets: "sprop-depack-buf-bytes")
                .map { .hevc(parameterSets: sets, interleavingDepth: $0) }
        case "mpv": return .mpegVideo
        case "mpeg4-generic": return aac.map { .aac($0) }
        case "mp4a-latm":
            guard parameters["cpresent"] == "0" else { return .latm(configuration: nil) }
            return parameters.hexadecimal("config").map { .latm(configuration: $0) }
        case "mpa": return .mpegAudio
        case "ac3": return .ac3
        case "opus": return .opus
        default: return nil
        }
    }

    /// How many NAL units have to be held until their order is known; nil if these, or their octets, are too many.
    private func interleavingDepth(_ units: String, octets: String) -> Int? {
        guard let depth = format.parameters.integer(units), (0...ElementaryMedium.mostInterleaved).contains(depth),
            (0...ElementaryMedium.mostInterleavedOctets).contains(format.parameters.integer(octets) ?? 0)
        else { return nil }
        return depth
    }

    private var aac: ElementaryMedium.AACFormat? {
        let parameters = format.parameters
        guard parameters["mode"]?.lowercased() == "aac-hbr", let configuration = parameters.hexadecimal("config") else {
            return nil
        }
        return ElementaryMedium.AACFormat(
            configuration: configuration, sizeLength: parameters.integer("sizeLength") ?? 13,
            indexLength: parameters.integer("indexLength") ?? 3,
            indexDeltaLength: parameters.integer("indexDeltaLength") ?? 3)
    }
}
