// SPDX-License-Identifier: Apache-2.0

/// The meaning of an RTP payload type in one medium: its `a=rtpmap` and `a=fmtp`, or its row in RFC 3551's table.
public struct RTPFormat: Equatable, Sendable {
    /// Payload type, 0...127. The same number may have another meaning in another medium (VLC uses 96 for both audio
    /// and video).
    public var payloadType: UInt8
    /// Encoding name as sent: `H264`, `MPEG4-GENERIC`, `mpeg4-generic`…
    public var encodingName: String
    /// Rate of the time stamps in Hz, 1 or more.
    public var clockRate: Int
    /// Number of channels; 1 if not stated (RFC 8866 §6.6).
    public var channels: Int
    public var parameters: FormatParameters

    public init(
        payloadType: UInt8, encodingName: String, clockRate: Int, channels: Int = 1,
        parameters: FormatParameters = FormatParameters()
    ) {
        self.payloadType = payloadType
        self.encodingName = encodingName
        self.clockRate = clockRate
        self.channels = channels
        self.parameters = parameters
    }

    /// Whether the encoding name is this one; case does not matter (RFC 4855 §3).
    public func isEncoded(as name: String) -> Bool { encodingName.lowercased() == name.lowercased() }

    /// Parses the value of `a=rtpmap:`, such as `96 mpeg4-generic/48000[/2]`. Nil if it cannot be read.
    init?(map text: String) {
        let fields = text.split(separator: " ")
        guard fields.count == 2, let payloadType = UInt8(fields[0]), payloadType < 128 else { return nil }
        let parts = fields[1].split(separator: "/", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), !parts[0].isEmpty, let rate = UInt32(parts[1]), rate > 0 else {
            return nil
        }
        let channels = parts.count > 2 ? UInt8(parts[2]) : 1
        guard let channels, channels > 0 else { return nil }
        self.init(
            payloadType: payloadType, encodingName: String(parts[0]), clockRate: Int(rate), channels: Int(channels))
    }

    /// A static payload type (RFC 3551 §6) that head-ends still send without `a=rtpmap`. Nil for any other.
    init?(static payloadType: UInt8) {
        let (name, rate, channels): (String, Int, Int)
        switch payloadType {
        case 0: (name, rate, channels) = ("PCMU", 8_000, 1)
        case 8: (name, rate, channels) = ("PCMA", 8_000, 1)
        case 10: (name, rate, channels) = ("L16", 44_100, 2)
        case 11: (name, rate, channels) = ("L16", 44_100, 1)
        case 14: (name, rate, channels) = ("MPA", 90_000, 1)
        case 26: (name, rate, channels) = ("JPEG", 90_000, 1)
        case 32: (name, rate, channels) = ("MPV", 90_000, 1)
        case 33: (name, rate, channels) = ("MP2T", 90_000, 1)
        default: return nil
        }
        self.init(payloadType: payloadType, encodingName: name, clockRate: rate, channels: channels)
    }
}

extension SessionDescription.Media {
    static let mostFormats = 32

    /// Whether the medium is RTP that is not encrypted: profile AVP or AVPF. SAVP is encrypted.
    public var isRTP: Bool { ["rtp/avp", "rtp/avpf"].contains(transportProtocol.lowercased()) }

    /// The formats in the order of `m=`, without those that are not described. Empty if the medium is not RTP.
    public var rtpFormats: [RTPFormat] {
        guard isRTP else { return [] }
        var maps: [UInt8: RTPFormat?] = [:]
        var parameters: [UInt8: FormatParameters] = [:]
        for attribute in attributes {
            guard let value = attribute.value, let number = value.leadingPayloadType else { continue }
            // `a=rtpmap` takes precedence over the static table, even if it cannot be read.
            if attribute.name == "rtpmap", maps[number] == nil { maps[number] = .some(RTPFormat(map: value)) }
            if attribute.name == "fmtp", parameters[number] == nil {
                parameters[number] = FormatParameters(value.drop { $0 != " " })
            }
        }
        return formats.prefix(Self.mostFormats).compactMap { text -> RTPFormat? in
            guard let number = UInt8(text), number < 128, var format = maps[number] ?? RTPFormat(static: number) else {
                return nil
            }
            format.parameters = parameters[number] ?? FormatParameters()
            return format
        }
    }
}

extension String {
    fileprivate var leadingPayloadType: UInt8? { UInt8(prefix { $0 != " " }) }
}
