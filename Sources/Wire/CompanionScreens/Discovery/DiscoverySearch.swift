// SPDX-License-Identifier: Apache-2.0
import Bytes

/// Who is there? M-SEARCH of SSDP (UPnP Device Architecture §1.3.2).
public struct DiscoverySearch: Hashable, Sendable {
    /// The service of DIAL, by which televisions of HbbTV 2 are found.
    public static let dial = "urn:dial-multiscreen-org:service:dial:1"
    /// What everything answers.
    public static let all = "ssdp:all"

    /// Type of the service that is searched for.
    public let target: String
    /// Over how many seconds answers are to be spread, 1...120. Nil if the search was sent to one device.
    public let maximumWait: Int?

    /// Nil unless the target is 1...256 octets of printable ASCII.
    public init?(target: String = dial, maximumWait: Int?) {
        guard DiscoveryFields.isValue(target, longest: 256) else { return nil }
        self.target = target
        self.maximumWait = maximumWait.map { min(max(1, $0), 120) }
    }

    init(_ fields: DiscoveryFields) throws(WireError) {
        guard try fields.required("MAN") == "\"ssdp:discover\"" else { throw fields.invalid("MAN", "MAN") }
        let wait: Int?
        if let text = fields["MX"] {
            guard let value = Int64(decimal: text[...]), value >= 0 else { throw fields.invalid("MX", "MX") }
            wait = Int(clamping: value)
        } else {
            wait = nil
        }
        guard let search = DiscoverySearch(target: try fields.required("ST"), maximumWait: wait) else {
            throw fields.invalid("ST", "ST")
        }
        self = search
    }

    var text: String {
        "M-SEARCH * HTTP/1.1\r\nHOST: \(DiscoveryMessage.group)\r\nMAN: \"ssdp:discover\"\r\n"
            + (maximumWait.map { "MX: \($0)\r\n" } ?? "") + "ST: \(target)\r\n"
    }
}
