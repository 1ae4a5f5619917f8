// SPDX-License-Identifier: Apache-2.0
import JSON

/// A channel that ffmpeg sends to and a box receives, each told of it in its own words.
struct StreamTarget {
    enum Encapsulation: String { case rtp, raw }

    var name = "One"
    var encapsulation = Encapsulation.rtp
    let group = Group()

    /// An entry of the settings' `channels`.
    var json: JSONValue {
        group.json.merging(patch: ["name": .string(name), "encapsulation": .string(encapsulation.rawValue)])
    }

    /// The end of ffmpeg's command line.
    /// - Parameters:
    ///   - flags: `mpegts_flags`.
    ///   - kilobits: constant rate; nil: as it comes.
    ///   - isSized: whether ffmpeg is told the length of datagrams; if not, it cuts packets, unless it sends RTP.
    func output(flags: [String] = [], kilobits: Int? = nil, isSized: Bool = true) -> [String] {
        let plain = "\(group.address):\(group.port)?ttl=1&localaddr=127.0.0.1"
        let place = plain + "&pkt_size="
        let options = [
            flags.isEmpty ? nil : ("mpegts_flags", flags.joined(separator: "+")),
            kilobits.map { ("muxrate", "\($0)k") },
        ].compactMap { $0 }
        switch encapsulation {
        case .raw:
            let address = "udp://" + (isSized ? place + "1316" : plain)
            return options.flatMap { ["-" + $0.0, $0.1] } + ["-f", "mpegts", address]
        case .rtp:
            let inner = options.map { "\($0.0)=\($0.1)" }.joined(separator: ":")
            return (inner.isEmpty ? [] : ["-mpegts_muxer_options", inner])
                + ["-f", "rtp_mpegts", "rtp://\(place)1328"]
        }
    }

    /// ffmpeg paces what is read from these and sends it uncoded.
    static func paced(_ paths: [String]) -> [String] {
        let inputs: [String] = paths.flatMap { ["-re", "-i", $0] }
        let maps: [String] = paths.indices.flatMap { ["-map", "\($0)"] }
        return ["ffmpeg", "-nostdin", "-loglevel", "error"] + inputs + maps + ["-c", "copy"]
    }
}
