// SPDX-License-Identifier: Apache-2.0
import Bytes
import Radio

/// What is read of the information elements of a beacon or of a probe response (IEEE 802.11 §9.4.2).
///
/// ```
///  0    1        2
/// | id | length | value
/// ```
/// They are a stranger's octets, which the kernel passes on as they came. So what is damaged is left out, and the list
/// ends where an element is cut: a neighbour cannot have the scan refused.
struct InformationElements {
    /// More are not looked at: a beacon has some thirty.
    static let mostElements = 256

    private static let ssidElement: UInt8 = 0
    private static let loadElement: UInt8 = 11
    private static let securityElement: UInt8 = 48  // RSN
    private static let vendorElement: UInt8 = 221
    /// Organisation and type of the element by which WPA was announced before RSN.
    private static let wpa: UInt64 = 0x0050_f201

    /// nil without the element, or if it is longer than 32 octets.
    private(set) var ssid: [UInt8]?
    /// nil without the element, or if it has another length than 5 octets.
    private(set) var load: BasicServiceSet.Load?
    private(set) var hasSecurity = false
    private(set) var isEmpty = true

    /// Reads one list of elements. Of an element that was read before the first one counts.
    mutating func read(_ octets: WireReader) {
        var reader = octets
        for _ in 0..<Self.mostElements where !reader.isAtEnd {
            do {
                let id = try reader.read(UInt8.self)
                let length = try reader.read(UInt8.self)
                var value = try reader.reader(of: Int(length))
                isEmpty = false
                try take(id, &value)
            } catch {
                return  // the element is cut
            }
        }
    }

    private mutating func take(_ id: UInt8, _ value: inout WireReader) throws(WireError) {
        switch id {
        case Self.ssidElement: ssid = ssid ?? value.readNetworkName()
        case Self.loadElement:
            guard load == nil, value.remaining == 5 else { return }
            let stations = try value.read(UInt16.self).byteSwapped  // the lower octet comes first
            load = BasicServiceSet.Load(stations: stations, utilisation: try value.read())
        case Self.securityElement: hasSecurity = true
        case Self.vendorElement:
            guard value.remaining >= 4, try value.read(octets: 4) == Self.wpa else { return }
            hasSecurity = true
        default: break
        }
    }
}
