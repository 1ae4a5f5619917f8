// SPDX-License-Identifier: Apache-2.0
import Commands
import Signing
import Time

/// The tokens of a box, and whether somebody has claimed it. Time and chance are arguments.
public struct Credentials: Equatable, Sendable {
    public static let tokenLimit = 64
    /// Characters of a token's name.
    public static let nameLength = 1...64

    public enum Refusal: Error, Equatable, Sendable, CustomStringConvertible {
        case full
        case nameTaken(String)
        case unknown(String, known: [String])
        case claimed(by: String)
        case wrongCode(triesLeft: Int)
        case notOpen
        /// libsodium does not work on this machine.
        case unavailable

        public var description: String {
            switch self {
            case .full: "there are \(Credentials.tokenLimit) tokens; revoke one that nobody needs"
            case .nameTaken(let name): "there is a token \"\(name)\"; expected another name, or revoke that one"
            case .unknown(let name, let known):
                "there is no token \"\(name)\"; expected "
                    + (known.isEmpty ? "one, and there are none" : "one of \(known.joined(separator: ", "))")
            case .claimed(let name): "the box was claimed by \"\(name)\"; who has lost that token resets it at the box"
            case .wrongCode(0): "that was the last wrong code; open the claim anew at the box"
            case .wrongCode(let left): "the code is another; \(left) more tries"
            case .notOpen: "the box is not to be claimed now; open that at the box: touchline claim-open"
            case .unavailable: "libsodium does not work on this machine"
            }
        }
    }

    /// Who claimed the box, and when.
    public struct Claim: Equatable, Sendable {
        public let name: String
        public let time: WallTime
    }

    public internal(set) var tokens: [AccessToken]
    public internal(set) var claim: Claim?

    public init() { (tokens, claim) = ([], nil) }

    init(tokens: [AccessToken], claim: Claim?) { (self.tokens, self.claim) = (tokens, claim) }

    /// Makes a token. Those that have expired make room.
    /// - Parameter chance: `SecretText.tokenOctets` random octets.
    /// - Returns: its text, which nobody can ask for again.
    public mutating func create(
        _ name: String, as role: Role, expires: WallTime? = nil, chance: [UInt8], at now: WallTime
    ) throws(Refusal) -> String {
        var kept = tokens
        if kept.count >= Self.tokenLimit { kept.removeAll { $0.hasExpired(at: now) } }
        kept.removeAll { $0.name == name && $0.hasExpired(at: now) }
        guard kept.count < Self.tokenLimit else { throw .full }
        guard !kept.contains(where: { $0.name == name }) else { throw .nameTaken(name) }
        let text = SecretText.token(chance)
        guard let digest = SecretText.digest(text) else { throw .unavailable }
        tokens = kept + [AccessToken(name: name, role: role, created: now, expires: expires, digest: digest)]
        return text
    }

    public mutating func revoke(_ name: String) throws(Refusal) {
        guard tokens.contains(where: { $0.name == name }) else { throw .unknown(name, known: tokens.map(\.name)) }
        tokens.removeAll { $0.name == name }
    }

    /// Makes the first administrator's token.
    public mutating func claim(as name: String, chance: [UInt8], at now: WallTime) throws(Refusal) -> String {
        if let claim { throw .claimed(by: claim.name) }
        let text = try create(name, as: .administrator, chance: chance, at: now)
        claim = Claim(name: name, time: now)
        return text
    }

    /// The token that has this text, in a time that does not depend on how much of it is right; nil if there is none.
    public func token(_ text: String, at now: WallTime) -> AccessToken? {
        guard let digest = SecretText.digest(text) else { return nil }
        var found: AccessToken?
        for token in tokens where token.digest == digest { found = token }
        return found.flatMap { $0.hasExpired(at: now) ? nil : $0 }
    }
}
