// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

@testable import Display

/// EDIDs in Vectors.
enum ScreenVector: String, CaseIterable {
    case fullHD = "full-hd"
    case ultraHD = "ultra-hd"
    case office

    func octets() throws -> [UInt8] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Vectors")
        let text = try String(contentsOf: folder.appendingPathComponent("\(rawValue).hex"), encoding: .utf8)
        return [UInt8](hexadecimal: text)
    }

    func screen() throws -> EDID { try Self.parse(octets()) }

    static func parse(_ octets: [UInt8]) throws -> EDID { try octets.withUnsafeBytes { try EDID($0) } }

    /// With the octet at `place` changed, and the sum of its block right again.
    func changed(_ place: Int, to octet: UInt8) throws -> [UInt8] {
        var octets = try octets()
        octets[place] = octet
        return Self.summed(octets)
    }

    static func summed(_ octets: [UInt8]) -> [UInt8] {
        var octets = octets
        for last in stride(from: EDID.blockOctets - 1, to: octets.count, by: EDID.blockOctets) {
            octets[last] = 0 &- octets[last - EDID.blockOctets + 1..<last].reduce(UInt8(0), &+)
        }
        return octets
    }
}
