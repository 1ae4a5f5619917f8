// SPDX-License-Identifier: Apache-2.0
import Bytes
import Venue

/// A message of SSDP: one UDP datagram to or from 239.255.255.250:1900 (UPnP Device Architecture §1).
public enum DiscoveryMessage: Hashable, Sendable {
    case search(DiscoverySearch)
    /// To who has searched.
    case answer(DiscoveryAnnouncement)
    /// NOTIFY to all, `ssdp:alive`.
    case alive(DiscoveryAnnouncement)
    /// NOTIFY to all, `ssdp:byebye`.
    case byebye(target: String, uniqueName: String)

    /// Octets of the longest message that is read; more than any device sends.
    public static let longest = 4_096
    public static let port: UInt16 = 1_900
    public static let address = NumericAddress(v4: 0xefff_fffa)
    static let group = "\(address):\(port)"

    /// Reads a datagram.
    /// - Throws: `.unsupported` for another start line or kind of NOTIFY; `.invalid`, `.truncated` and `.limit` as the
    ///   field is.
    public init(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        let fields = try DiscoveryFields(bytes)
        let words = fields.start.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        switch words.map(String.init) {
        case ["M-SEARCH", "*", "HTTP/1.1"]: self = .search(try DiscoverySearch(fields))
        case ["NOTIFY", "*", "HTTP/1.1"]: self = try Self.notice(fields)
        case let answer where answer.prefix(2) == ["HTTP/1.1", "200"]:
            self = .answer(try DiscoveryAnnouncement(fields, type: "ST"))
        default: throw WireError(.unsupported("discovery message", 0), at: 0)
        }
    }

    private static func notice(_ fields: DiscoveryFields) throws(WireError) -> DiscoveryMessage {
        switch try fields.required("NTS") {
        case "ssdp:alive": return .alive(try DiscoveryAnnouncement(fields, type: "NT"))
        case "ssdp:byebye":
            let (target, name) = (try fields.required("NT"), try fields.required("USN"))
            guard DiscoveryFields.isValue(target, longest: 256), DiscoveryFields.isValue(name, longest: 512) else {
                throw fields.invalid("USN or target", "USN")
            }
            return .byebye(target: target, uniqueName: name)
        default: throw WireError(.unsupported("kind of notice", 0), at: 0)
        }
    }

    /// The datagram. The target and the name of a farewell are printable ASCII.
    public var octets: [UInt8] {
        let notice = "NOTIFY * HTTP/1.1\r\nHOST: \(Self.group)\r\n"
        let text =
            switch self {
            case .search(let search): search.text
            case .answer(let said): "HTTP/1.1 200 OK\r\nEXT: \r\n\(said.text)ST: \(said.target)\r\n"
            case .alive(let said): "\(notice)\(said.text)NT: \(said.target)\r\nNTS: ssdp:alive\r\n"
            case .byebye(let target, let name): "\(notice)NT: \(target)\r\nUSN: \(name)\r\nNTS: ssdp:byebye\r\n"
            }
        return Array((text + "\r\n").utf8)
    }
}
