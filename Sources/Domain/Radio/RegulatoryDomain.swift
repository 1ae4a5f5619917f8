// SPDX-License-Identifier: Apache-2.0

/// Whose rules a radio keeps: which channels it may use, and with how much power.
public struct RegulatoryDomain: Hashable, Sendable {
    /// What every country allows.
    public static let world = "00"
    /// What a driver has in place of a country.
    public static let custom = "99"
    /// What several rules have in common.
    public static let intersection = "98"

    /// A country by ISO 3166-1, or one of the above: two ASCII characters.
    public let alpha2: String
    /// Index of the radio whose own rules they are. nil for those that all other radios keep.
    public let wiphy: UInt32?

    /// nil unless these are two visible ASCII characters. Firmware has codes of its own, with other characters than
    /// letters.
    public init?(alpha2: String, wiphy: UInt32? = nil) {
        guard alpha2.utf8.count == 2, alpha2.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else { return nil }
        self.alpha2 = alpha2
        self.wiphy = wiphy
    }
}
