// SPDX-License-Identifier: Apache-2.0
import Bytes

/// The payload type of a SAP packet.
public enum SAPPayloadType: Hashable, Sendable {
    /// `application/sdp`, also for payloads without a type that begin with `v=0` (RFC 2974 §6).
    case sessionDescription
    /// `application/vnd.touchline.announcement+json`.
    case announcement
    /// Any other MIME type, in lower case and without parameters.
    case other(String)

    public init(mimeType: String) {
        let bare = mimeType.prefix { $0 != ";" && $0 != " " }.lowercased()
        self = [Self.sessionDescription, .announcement].first { $0.mimeType == bare } ?? .other(bare)
    }

    public var mimeType: String {
        switch self {
        case .sessionDescription: "application/sdp"
        case .announcement: "application/vnd.touchline.announcement+json"
        case .other(let mimeType): mimeType
        }
    }

    static let longestMimeType = 128

    /// - Parameter isOptional: whether the payload may be empty, as in a deletion.
    init(from reader: inout WireReader, isOptional: Bool) throws(WireError) {
        let start = reader.offset
        guard !reader.isAtEnd else {
            guard isOptional else { throw WireError(.truncated(needed: 1, available: 0), at: start) }
            self = .sessionDescription
            return
        }
        let rest = UnsafeRawBufferPointer(rebasing: reader.bytes[start..<reader.end])
        guard !rest.starts(with: "v=0".utf8) else {
            self = .sessionDescription
            return
        }
        guard let end = rest.prefix(Self.longestMimeType + 1).firstIndex(of: 0) else {
            guard rest.count > Self.longestMimeType else {
                throw WireError(.truncated(needed: rest.count + 1, available: rest.count), at: start)
            }
            throw WireError(.limit("SAP payload type length", UInt64(rest.count)), at: start)
        }
        let name = rest[..<end]
        if let odd = name.firstIndex(where: { !(0x20...0x7e).contains($0) }) {
            throw WireError(.invalid("SAP payload type octet", UInt64(name[odd])), at: start + odd)
        }
        guard name.contains(UInt8(ascii: "/")) else {
            throw WireError(.invalid("SAP payload type length", UInt64(end)), at: start)
        }
        try reader.skip(end + 1)
        self.init(mimeType: String(decoding: name, as: UTF8.self))
    }
}
