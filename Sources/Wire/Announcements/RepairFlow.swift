// SPDX-License-Identifier: Apache-2.0
import Time

/// A medium that repairs others, as described; whether the description makes sense its scheme says.
///
/// SMPTE ST 2022-1 has no attributes: its column flow is on the medium's port + 2, its row flow on port + 4, by
/// convention. Senders that describe these flows all the same do so as `RTPFormat`s, with `L` and `D` among the parameters.
public struct RepairFlow: Equatable, Sendable {
    public enum Scheme: Equatable, Sendable {
        /// FECFRAME (RFC 6363), `a=fec-repair-flow` (RFC 6364 §4.4).
        /// - Parameters:
        ///   - encodingID: IANA's registry of FECFRAME; 8 is Reed–Solomon over GF(2^m), RFC 6865.
        ///   - preference: `preference-lvl`, 0 when not said.
        ///   - information: the sender's, `ss-fssi` or RFC 6865's `fssi`.
        ///   - receiverInformation: `rs-fssi`, which senders may make up.
        case framework(
            encodingID: UInt8, preference: UInt32, information: SchemeInformation,
            receiverInformation: SchemeInformation)
        /// Parity in an RTP payload format (RFC 5109, 6015, 8627, ST 2022-5).
        case payloadFormat(RTPFormat)
    }

    public var scheme: Scheme
    /// How long the repair of a packet may come after it (RFC 6364 §4.6).
    public var window: Nanoseconds?
}

/// `a=fec-source-flow` (RFC 6364 §4.3): a medium that is repaired.
public struct SourceFlow: Equatable, Sendable {
    public var id: UInt32
    /// Octets of the explicit source payload id, when not what the scheme has.
    public var tagLength: UInt32?

    public init(id: UInt32, tagLength: UInt32? = nil) {
        self.id = id
        self.tagLength = tagLength
    }
}

extension RTPFormat {
    private static let repairEncodings: Set = [
        "parityfec", "ulpfec", "1d-interleaved-parityfec", "1d-parityfec", "2dparityfec", "flexfec", "raptorfec",
        "smpte2022-1-fec", "smpte2022-5-fec", "vnd.dvb.iptv.alfec-base", "vnd.dvb.iptv.alfec-enhancement",
    ]

    var isRepair: Bool { Self.repairEncodings.contains(encodingName.lowercased()) }
}

extension SessionDescription.Media {
    /// What is longer says nothing about live pictures.
    private static let longestWindow = Nanoseconds.seconds(60)

    public var sourceFlow: SourceFlow? {
        guard let parameters = value(ofAttribute: "fec-source-flow").map({ FormatParameters($0) }),
            let id = parameters["id"].flatMap({ UInt32($0) })
        else { return nil }
        return SourceFlow(id: id, tagLength: parameters["tag-len"].flatMap { UInt32($0) })
    }

    /// Nil when the medium repairs nothing, or says of what scheme it is in a way that cannot be read.
    public var repairFlow: RepairFlow? {
        if let parameters = value(ofAttribute: "fec-repair-flow").map({ FormatParameters($0) }) {
            guard let encodingID = parameters["encoding-id"].flatMap({ UInt8($0) }) else { return nil }
            return RepairFlow(
                scheme: .framework(
                    encodingID: encodingID, preference: parameters["preference-lvl"].flatMap { UInt32($0) } ?? 0,
                    information: SchemeInformation(parameters["ss-fssi"] ?? parameters["fssi"] ?? ""),
                    receiverInformation: SchemeInformation(parameters["rs-fssi"] ?? "")), window: repairWindow)
        }
        guard let format = rtpFormats.first(where: \.isRepair) else { return nil }
        let window = format.parameters.integer("repair-window").flatMap { Self.window(Int64($0), 1_000) }
        return RepairFlow(scheme: .payloadFormat(format), window: repairWindow ?? window)
    }

    /// `a=repair-window: 200ms` or `200000us`; milliseconds when no unit is given.
    private var repairWindow: Nanoseconds? {
        guard let text = value(ofAttribute: "repair-window")?.trimmed else { return nil }
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let count = Int64(digits) else { return nil }
        switch text.dropFirst(digits.count).trimmed.lowercased() {
        case "", "ms": return Self.window(count, 1_000_000)
        case "us": return Self.window(count, 1_000)
        default: return nil
        }
    }

    private static func window(_ count: Int64, _ nanoseconds: Int64) -> Nanoseconds? {
        let (product, isOverflowing) = count.multipliedReportingOverflow(by: nanoseconds)
        let window = Nanoseconds(product)
        return isOverflowing || product <= 0 || window > longestWindow ? nil : window
    }
}
