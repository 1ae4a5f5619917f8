// SPDX-License-Identifier: Apache-2.0
import Bytes
import Radio

extension RegulatoryDomain {
    /// Reads the attributes of NL80211_CMD_GET_REG in an answer.
    /// - Throws: `invalid` also unless there is a name of two visible ASCII characters.
    init(from body: inout WireReader) throws(WireError) {
        let start = body.offset
        var alpha2: String?
        var wiphy: UInt32?
        try body.forEachAttribute { (type, value) throws(WireError) in
            switch WirelessAttribute(rawValue: type) {
            case .alpha2: alpha2 = value.readAlpha2()
            case .wiphy: wiphy = try value.readWhole()
            default: break
            }
        }
        guard let alpha2, let domain = RegulatoryDomain(alpha2: alpha2, wiphy: wiphy) else {
            throw WireError(.invalid("nl80211 regulatory domain without name", 0), at: start)
        }
        self = domain
    }

    /// Which domain a change is to.
    /// - Parameter type: `enum nl80211_reg_type`; nil if it is missing.
    /// - Returns: nil if it is unknown, or a country without a name.
    init?(type: UInt8?, alpha2: String?, wiphy: UInt32?) {
        let name: String? =
            switch type {
            case 1: Self.world  // NL80211_REGDOM_TYPE_WORLD
            case 2: Self.custom  // NL80211_REGDOM_TYPE_CUSTOM_WORLD
            case 3: Self.intersection  // NL80211_REGDOM_TYPE_INTERSECTION
            default: alpha2  // NL80211_REGDOM_TYPE_COUNTRY
            }
        guard let name else { return nil }
        self.init(alpha2: name, wiphy: wiphy)
    }
}

extension WireReader {
    /// Reads a text up to a zero, of at most three octets: what is longer is no name of a regulatory domain.
    mutating func readAlpha2() -> String {
        let range = takeRest()
        return String(decoding: bytes[range].prefix(3).prefix { $0 != 0 }, as: UTF8.self)
    }
}
