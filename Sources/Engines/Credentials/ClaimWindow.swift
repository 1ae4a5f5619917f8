// SPDX-License-Identifier: Apache-2.0
import Signing
import Time

/// The time in which a box can be claimed with the code that it shows. A code counts once, and has few tries.
public struct ClaimWindow: Equatable, Sendable {
    public static let tries = 5
    public static let span = Nanoseconds.seconds(600)

    public let code: String
    public let end: Monotonic
    public private(set) var triesLeft = Self.tries

    /// - Parameter chance: `SecretText.codeOctets` random octets.
    public init(chance: [UInt8], until end: Monotonic) {
        code = SecretText.code(chance)
        self.end = end
    }

    public func isOpen(at now: Monotonic) -> Bool { now < end && triesLeft > 0 }

    /// Takes a try.
    mutating func accepts(_ text: String, at now: Monotonic) throws(Credentials.Refusal) {
        guard isOpen(at: now) else { throw .notOpen }
        let use = "touchline code"
        guard let right = SecretDigest(of: code, use: use) else { throw .unavailable }
        // A text without the form of a code has not been mistyped; it is a try all the same.
        let given = SecretText.readCode(text).flatMap { SecretDigest(of: $0, use: use) }
        if let given, given == right { return }
        triesLeft -= 1
        throw .wrongCode(triesLeft: triesLeft)
    }
}
