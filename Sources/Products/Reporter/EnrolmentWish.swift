// SPDX-License-Identifier: Apache-2.0
import Enrolling
import Shapes

/// What a request about boxes that enrol asks for.
enum EnrolmentWish: Equatable {
    case nonce
    /// - Parameter octets: the text of a signed envelope.
    case enrol(octets: [UInt8])
    case rotate(box: String, octets: [UInt8])
    case list(after: String, limit: Int)
    case decide(String, EnrolmentDecision)
    case tokens
    case makeToken(EnrolmentTokenTerms)
    case deleteToken(String)
    case revoke(box: String, why: String)
    case forgetClones(box: String)
    case replace(Replacement)
}

/// What somebody says of a key that waits.
struct EnrolmentDecision: Record, Equatable {
    var approve = false
    /// nil: as the box calls itself.
    var name: String?
    var tags: [String]?
    /// Why it is refused.
    var why = "somebody refused it"

    static let shape = Shape<Self>([
        .required("approve", \.approve, .boolean, "Whether the key is that of its box."),
        .member("name", \.name, .absentOr(.text(1...64)), "What the box is called."),
        .member("tags", \.tags, .absentOr(.list(of: .text(1...64), 0...64)), "What it is sorted by."),
        .member("why", \.why, .text(0...256), "Why it is refused."),
    ])
}

/// What an enrolment token is to be.
struct EnrolmentTokenTerms: Record, Equatable {
    var name = ""
    var uses: Int64 = 1
    var lastsS: Int64 = 86_400
    var boxName: String?
    var tags: [String] = []

    static let shape = Shape<Self>([
        .required("name", \.name, .text(EnrolmentToken.nameLength), "By which it is known."),
        .member("uses", \.uses, .integer(1...EnrolmentToken.mostUses), "How many boxes may enrol with it."),
        .member("lastsS", \.lastsS, .integer(60...31_536_000), "For how long."),
        .member("boxName", \.boxName, .absentOr(.text(1...64)), "What its boxes are called."),
        .member("tags", \.tags, .list(of: .text(1...64), 0...64), "What they are sorted by."),
    ])
}

/// Which box takes the place of which.
struct Replacement: Record, Equatable {
    var old = ""
    var new = ""

    static let shape = Shape<Self>([
        .required("old", \.old, .text(1...64), "Id of the box that is gone."),
        .required("new", \.new, .text(1...64), "Id of the box that is in its place."),
    ])
}
