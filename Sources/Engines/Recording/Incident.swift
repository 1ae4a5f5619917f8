// SPDX-License-Identifier: Apache-2.0
import Time

/// Something that went wrong, with what was recorded before it.
public struct Incident: Equatable, Sendable {
    public enum Kind: String, Sendable, CaseIterable {
        /// The service went down.
        case service
        /// Playback had nothing to play, or no picture came.
        case stall
        /// The process before this one ended without stopping: killed, by the watchdog or else, or crashed.
        case crash
        /// The output failed.
        case output
        /// Somebody asked for it.
        case command
    }

    /// The name of its file without `suffix`: time, kind and a random number.
    public let id: String
    public let octets: Int

    public init(id: String, octets: Int) { (self.id, self.octets) = (id, octets) }

    public static let suffix = ".tli"

    /// - Parameter nonce: tells incidents of one second apart.
    public static func id(_ kind: Kind, at time: WallTime, nonce: UInt16) -> String {
        // 2026-11-27T14:05:09Z and what may stand behind the seconds.
        let digits = time.description.prefix(19).filter { $0.isNumber || $0 == "T" }
        let hex = String(nonce, radix: 16)
        return "\(digits)-\(kind.rawValue)-" + String(repeating: "0", count: 4 - hex.count) + hex
    }

    /// nil if the id is none of ours: it cannot be part of a path then.
    public static func kind(of id: some StringProtocol) -> Kind? {
        let parts = id.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].utf8.count == 15, parts[2].utf8.count == 4,
            parts[0].utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x54 }),
            parts[2].utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        return Kind(rawValue: String(parts[1]))
    }

    public var kind: Kind { Self.kind(of: id) ?? .command }

    /// As the id has it: 2026-11-27T14:05:09Z.
    public var time: String {
        let text = Array(id.prefix(15))
        guard text.count == 15 else { return "" }
        func part(_ range: Range<Int>) -> String { String(text[range]) }
        return "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))T\(part(9..<11)):\(part(11..<13)):\(part(13..<15))Z"
    }
}
