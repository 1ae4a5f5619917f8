// SPDX-License-Identifier: Apache-2.0
import Venue

extension ElementaryStream {
    /// The stream as a receiver needs it. Nil if no box plays it: other codecs, H.264 in interleaved mode (RFC 6184
    /// §5.4), HEVC in several sessions (RFC 7798 §7.1, tx-mode), AAC in a mode other than AAC-hbr or without its
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
            guard (0...1).contains(parameters.integer("packetization-mode") ?? 0) else { return nil }
            return .h264(parameterSets: parameters.base64List("sprop-parameter-sets") ?? [])
        case "h265":
            guard parameters["tx-mode"].map({ $0.uppercased() == "SRST" }) ?? true else { return nil }
            let sets = ["sprop-vps", "sprop-sps", "sprop-pps"].flatMap { parameters.base64List($0) ?? [] }
            return .hevc(parameterSets: sets, isNumbered: (parameters.integer("sprop-max-don-diff") ?? 0) > 0)
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
