// SPDX-License-Identifier: Apache-2.0
import Bytes
import Signing
import Time

/// Gives nonces and knows its own again, each once and for a short time. Those that nobody uses cost no memory.
public struct NonceBook: Sendable {
    public static let span = Nanoseconds.seconds(120)
    /// Octets of chance for `nonce`.
    public static let chanceOctets = 8
    private static let mostUsed = 10_000

    private let key: SharedKey
    /// Those that were used, until they would not count any more.
    private var used: [String: Monotonic] = [:]

    /// - Parameter chance: 32 random octets. Nonces of another book are none.
    /// - Returns: nil if libsodium does not work on this machine.
    public init?(chance: [UInt8]) {
        guard let key = SharedKey(secret: Base64.encode(chance)) else { return nil }
        self.key = key
    }

    /// - Parameter chance: `chanceOctets` random octets.
    public func nonce(chance: [UInt8], at now: Monotonic) -> String {
        let time = UInt64(bitPattern: now.nanoseconds)
        let head = (0..<8).map { UInt8(truncatingIfNeeded: time >> (56 - 8 * UInt64($0))) } + chance
        return Base64.encode(head + key.tag(of: head))
    }

    /// Whether the nonce is one of this book, young enough, and was not used before. It is used then.
    public mutating func use(_ nonce: String, at now: Monotonic) -> Bool {
        guard nonce.utf8.count <= 128, let octets = Base64.decode(nonce),
            octets.count == 8 + Self.chanceOctets + SharedKey.tagOctets
        else { return false }
        let head = octets.prefix(8 + Self.chanceOctets)
        guard key.isTag(Array(octets.dropFirst(head.count)), of: head) else { return false }
        let given = Monotonic(
            nanoseconds: Int64(bitPattern: head.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }))
        guard given <= now, now - given < Self.span, used[nonce] == nil else { return false }
        if used.count >= Self.mostUsed { used = used.filter { now - $0.value < Self.span } }
        guard used.count < Self.mostUsed else { return false }
        used[nonce] = given
        return true
    }
}
