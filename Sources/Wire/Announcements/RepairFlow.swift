// SPDX-License-Identifier: Apache-2.0
import Time

/// A medium that repairs others, as it is described. Whether the description is valid depends on its scheme.
///
/// SMPTE ST 2022-1 has no attributes: by convention its column flow is on the medium's port + 2, its row flow on port +
/// 4. Senders that do describe these flows use `RTPFormat`s, with `L` and `D` among the parameters.
public struct RepairFlow: Equatable, Sendable {
    public enum Scheme: Equatable, Sendable {
        /// FECFRAME (RFC 6363), `a=fec-repair-flow` (RFC 6364 §4.4).
        /// - Parameters:
        ///   - encodingID: FEC encoding id of IANA's registry for FECFRAME; 8 is Reed–Solomon over GF(2^m), RFC 6865.
        ///   - preference: `preference-lvl`; 0 if not stated.
        ///   - information: the sender's information, `ss-fssi` or RFC 6865's `fssi`.
        ///   - receiverInformation: the receiver's information, `rs-fssi`, which senders may choose.
        case framework(
            encodingID: UInt8, preference: UInt32, information: SchemeInformation,
            receiverInformation: SchemeInformation)
        /// Parity in an RTP payload format (RFC 5109, 6015, 8627, ST 2022-5).
        case payloadFormat(RTPFormat)
    }

    public var scheme: Scheme
    /// Longest time from a packet to its repair (RFC 6364 §4.6); nil if not stated.
    public var window: Nanoseconds?
}

/// A medium that is repaired: `a=fec-source-flow` (RFC 6364 §4.3).
public struct SourceFlow: Equatable, Sendable {
    public var id: UInt32
    /// Octets of the explicit source payload id; nil for the scheme's own length.
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
    /// A longer window is not plausible for live video.
    private static let longestWindow = Nanoseconds.seconds(60)

    public var sourceFlow: SourceFlow? {
        guard let parameters = value(ofAttribute: "fec-source-flow").map({ FormatParameters($0) }),
            let id = parameters["id"].flatMap({ UInt32($0) })
        else { return nil }
        return SourceFlow(id: id, tagLength: parameters["tag-len"].flatMap { UInt32($0) })
    }

    /// The repair flow; nil if the medium repairs nothing or its scheme cannot be read.
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

    /// `a=repair-window: 200ms` or `200000us`; in milliseconds if no unit is given. Nil if it is absent or cannot be
    /// read.
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
