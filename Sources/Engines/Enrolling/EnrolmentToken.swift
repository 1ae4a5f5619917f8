// SPDX-License-Identifier: Apache-2.0
import Shapes
import Signing
import Time

/// A token with which boxes enrol without waiting for an approval. Its text is not kept.
public struct EnrolmentToken: Record, Equatable {
    public static let nameLength = 1...64
    public static let mostUses: Int64 = 100_000

    public internal(set) var name = ""
    public internal(set) var created = WallTime(nanoseconds: 0)
    /// From when on it is none.
    public internal(set) var expires = WallTime(nanoseconds: 0)
    public internal(set) var usesLeft: Int64 = 1
    /// Who made it.
    public internal(set) var by = ""
    /// What the boxes are called that enrol with it; nil: as they call themselves.
    public internal(set) var boxName: String?
    /// What the boxes get that enrol with it.
    public internal(set) var tags: [String] = []
    var digest: SecretDigest?

    public init() {}

    public static let shape = Shape<Self>([
        .required("name", \.name, .text(nameLength), "By which it is known."),
        .required("created", \.created, .instant, "When it was made."),
        .required("expires", \.expires, .instant, "From when on it is none."),
        .required("usesLeft", \.usesLeft, .integer(0...mostUses), "How many boxes may still enrol with it."),
        .member("by", \.by, .text(0...64), "Who made it."),
        .member("boxName", \.boxName, .absentOr(.text(1...64)), "What its boxes are called."),
        .member("tags", \.tags, .list(of: .text(1...64), 0...64), "What its boxes get."),
        .required("digest", \.digest, .absentOr(.digest), "Of its text."),
    ])

    func counts(at now: WallTime) -> Bool { usesLeft > 0 && now < expires }
}
