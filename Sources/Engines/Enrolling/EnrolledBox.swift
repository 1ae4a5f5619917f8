// SPDX-License-Identifier: Apache-2.0
import Shapes
import Signing
import Time

/// A box that a reporter knows by its key, or knew.
public struct EnrolledBox: Record, Equatable {
    public enum State: String, CaseIterable, Sendable {
        /// Somebody has said so; the box has not fetched its credential yet.
        case approved
        case enrolled
        /// Nothing is taken of it. It enrols again only if somebody approves that.
        case revoked
    }

    public internal(set) var box = ""
    /// As `VerifyingKey.base64` has it; empty: the box never enrolled.
    public internal(set) var publicKey = ""
    public internal(set) var state = State.approved
    public internal(set) var since = WallTime(nanoseconds: 0)
    /// Who brought it into this state: a person, or `token NAME`.
    public internal(set) var by = ""
    /// nil: as the box calls itself.
    public internal(set) var name: String?
    public internal(set) var tags: [String] = []
    /// Why it was revoked.
    public internal(set) var why: String?
    /// Boxes whose place it has taken, the latest first.
    public internal(set) var replaces: [String] = []
    public internal(set) var replacedBy: String?
    /// Of the credential that the box has used last.
    var credential: SecretDigest?
    /// Of one that was given afterwards and that the box has not used yet. Until then both count: the answer with the new one
    /// may have been lost.
    var next: SecretDigest?

    public init() {}

    public static let shape = Shape<Self>([
        .required("box", \.box, .text(1...64), "Id of the box."),
        .member("publicKey", \.publicKey, .text(0...120), "Its key."),
        .required("state", \.state, .choice, "How it stands with it."),
        .required("since", \.since, .instant, "Since when."),
        .member("by", \.by, .text(0...128), "Who brought it there."),
        .member("name", \.name, .absentOr(.text(1...64)), "What people call it."),
        .member("tags", \.tags, .list(of: .text(1...64), 0...64), "What it is sorted by."),
        .member("why", \.why, .absentOr(.text(0...2_048)), "Why it was revoked."),
        .member("replaces", \.replaces, .list(of: .text(1...64), 0...mostReplaced), "Whose place it has."),
        .member("replacedBy", \.replacedBy, .absentOr(.text(1...64)), "Which box has its place."),
        .member("credential", \.credential, .absentOr(.digest), "Digest of its credential."),
        .member("next", \.next, .absentOr(.digest), "Digest of the one that it has not used yet."),
    ])

    /// Boxes in whose place one box is, one after the other.
    static let mostReplaced = 32

    var digests: [SecretDigest] { [credential, next].compactMap { $0 } }

    /// Of the key, as `openssl` prints it; nil if there is none.
    public var fingerprint: String? { (try? VerifyingKey(publicKey))?.fingerprint }  // an empty text is none
}
