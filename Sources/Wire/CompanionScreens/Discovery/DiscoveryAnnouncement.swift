// SPDX-License-Identifier: Apache-2.0
import Bytes

/// I am here: what an answer to a search and NOTIFY of SSDP say (UPnP Device Architecture §1.2.2, §1.3.3).
public struct DiscoveryAnnouncement: Hashable, Sendable {
    private static let boots = 0...0x7fff_ffff
    private static let configurations = 0...0xff_ffff

    /// Type of the service, ST or NT.
    public let target: String
    /// USN: what stays the same of a device and its service.
    public let uniqueName: String
    /// Where the device describes itself.
    public let location: HTTPURL
    /// How many seconds this holds, 0...2 147 483 647; 1 800 if it is not said.
    public let maximumAge: Int
    /// Greater after each start of the device, so that a new start is known from a repeated message, 0...2 147 483 647;
    /// nil if it is not said, as before UPnP 1.1.
    public let bootID: Int?
    /// Another if the device describes itself differently, 0...16 777 215; nil likewise.
    public let configurationID: Int?

    /// Nil unless the texts are printable ASCII, of at most 256 and 512 octets.
    public init?(
        target: String = DiscoverySearch.dial, uniqueName: String, location: HTTPURL, maximumAge: Int = 1_800,
        bootID: Int? = nil, configurationID: Int? = nil
    ) {
        guard DiscoveryFields.isValue(target, longest: 256), DiscoveryFields.isValue(uniqueName, longest: 512) else {
            return nil
        }
        (self.target, self.uniqueName, self.location) = (target, uniqueName, location)
        self.maximumAge = min(max(0, maximumAge), Self.boots.upperBound)
        self.bootID = bootID.map { min(max(0, $0), Self.boots.upperBound) }
        self.configurationID = configurationID.map { min(max(0, $0), Self.configurations.upperBound) }
    }

    /// - Parameter type: name of the field that has the target.
    init(_ fields: DiscoveryFields, type: String) throws(WireError) {
        guard let location = HTTPURL(try fields.required("LOCATION")) else {
            throw fields.invalid("LOCATION", "LOCATION")
        }
        let announcement = DiscoveryAnnouncement(
            target: try fields.required(type), uniqueName: try fields.required("USN"), location: location,
            maximumAge: try Self.age(fields) ?? 1_800,
            bootID: Self.number(fields["BOOTID.UPNP.ORG"], in: Self.boots),
            configurationID: Self.number(fields["CONFIGID.UPNP.ORG"], in: Self.configurations))
        guard let announcement else { throw fields.invalid("USN or target", "USN") }
        self = announcement
    }

    /// Nil if the field says something else.
    private static func age(_ fields: DiscoveryFields) throws(WireError) -> Int? {
        guard let text = fields["CACHE-CONTROL"] else { return nil }
        for part in text.split(separator: ",", maxSplits: 16) {
            let words = part.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " && $0 != "\t" } }
            guard words.count == 2, words[0].lowercased() == "max-age" else { continue }
            guard let value = Int64(decimal: words[1][...]), value >= 0 else {
                throw fields.invalid("max-age", "CACHE-CONTROL")
            }
            return Int(clamping: value)
        }
        return nil
    }

    /// Nil as well for what is no such number: devices are found without it.
    private static func number(_ text: String?, in range: ClosedRange<Int>) -> Int? {
        text.flatMap { Int64(decimal: $0[...]) }.flatMap { Int(exactly: $0) }.flatMap { range ~= $0 ? $0 : nil }
    }

    /// The fields but the one that has the target.
    var text: String {
        let said = [
            ("CACHE-CONTROL", "max-age=\(maximumAge)"), ("LOCATION", location.description),
            ("SERVER", "Linux/1 UPnP/1.1 Touchline/1"), ("USN", uniqueName),
        ]
        let numbers = [("BOOTID.UPNP.ORG", bootID), ("CONFIGID.UPNP.ORG", configurationID)]
        let all = said + numbers.compactMap { name, value in value.map { (name, "\($0)") } }
        return all.map { "\($0): \($1)\r\n" }.joined()
    }
}
