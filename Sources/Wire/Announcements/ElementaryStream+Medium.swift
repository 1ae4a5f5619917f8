// SPDX-License-Identifier: Apache-2.0
import Venue

extension ElementaryStream {
    /// The stream as a receiver needs it. Nil if no box plays it: other codecs, H.264 in interleaved mode (RFC 6184
    /// §5.4), AAC in a mode other than AAC-hbr.
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
        if format.isEncoded(as: "H264") {
            guard (0...1).contains(parameters.integer("packetization-mode") ?? 0) else { return nil }
            return .h264(parameterSets: parameters.base64List("sprop-parameter-sets") ?? [])
        }
        guard format.isEncoded(as: "mpeg4-generic"), parameters["mode"]?.lowercased() == "aac-hbr",
            let configuration = parameters.hexadecimal("config")
        else { return nil }
        return .aac(
            ElementaryMedium.AACFormat(
                configuration: configuration, sizeLength: parameters.integer("sizeLength") ?? 13,
                indexLength: parameters.integer("indexLength") ?? 3,
                indexDeltaLength: parameters.integer("indexDeltaLength") ?? 3))
    }
}
