// SPDX-License-Identifier: Apache-2.0
import Shapes
import Signing
import Time

/// A key that asks to be known as a box, and that nobody has approved.
public struct PendingBox: Record, Equatable {
    public internal(set) var box = ""
    public internal(set) var publicKey = ""
    /// As the box calls itself.
    public internal(set) var name = ""
    public internal(set) var version = ""
    public internal(set) var first = WallTime(nanoseconds: 0)
    /// When it asked last.
    public internal(set) var asked = WallTime(nanoseconds: 0)
    /// Why it was not taken by itself.
    public internal(set) var why = ""
    /// Why somebody refused it; nil: nobody has.
    public internal(set) var refused: String?

    public init() {}

    public static let shape = Shape<Self>([
        .required("box", \.box, .text(1...64), "Id that it gives."),
        .required("publicKey", \.publicKey, .text(1...120), "Its key."),
        .member("name", \.name, .text(0...64), "What it is called."),
        .member("version", \.version, .text(0...64), "Of its program."),
        .required("first", \.first, .instant, "When it asked for the first time."),
        .required("asked", \.asked, .instant, "When it asked last."),
        .member("why", \.why, .text(0...2_048), "Why it was not taken by itself."),
        .member("refused", \.refused, .absentOr(.text(0...2_048)), "Why somebody refused it."),
    ])

    /// Names the pair of box and key: who has seen one pair cannot approve another one by mistake.
    public static func id(box: String, publicKey: String) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let octets = Digest.of(Array("\(publicKey)\n\(box)".utf8)).prefix(16)
        return String(decoding: octets.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    public var id: String { Self.id(box: box, publicKey: publicKey) }

    public var fingerprint: String? { (try? VerifyingKey(publicKey))?.fingerprint }  // it was a key when it asked
}
