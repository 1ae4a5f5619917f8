// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes

/// What a box says of itself to a reporter that is to know it. It is the payload of a signed envelope, and the signature
/// is the proof that the box has the key.
public struct EnrolmentRequest: Record, Equatable {
    public static let payloadType = "application/vnd.touchline.enrolment+json"
    /// Of the envelope, in octets.
    public static let mostOctets = 16 << 10

    /// Version of the form.
    private var enrolment: Int64 = 1
    /// Id of the box.
    public var box = ""
    /// As `VerifyingKey.base64` has it.
    public var publicKey = ""
    /// What the reporter gave a short time before, so that nobody can send the request again later.
    public var nonce = ""
    /// What people call the box.
    public var name = ""
    /// Of its program.
    public var version = ""
    /// The enrolment token; nil if the box has none, and waits for an approval.
    public var token: String?

    public init() {}

    public static let shape = Shape<Self>([
        .required("enrolment", \.enrolment, .integer(1...1), "Version of the form."),
        .required("box", \.box, .text(1...64), "Id of the box."),
        .required("publicKey", \.publicKey, .text(40...120), "Its Ed25519 key: SubjectPublicKeyInfo as base64."),
        .required("nonce", \.nonce, .text(1...128), "Of the reporter, GET /v1/nonce."),
        .member("name", \.name, .text(0...64), "What people call it."),
        .member("version", \.version, .text(0...64), "Of its program."),
        .member("token", \.token, .absentOr(.text(1...512)), "The enrolment token; absent: it waits for an approval."),
    ])

    public var octets: [UInt8] { json.octets() }

    private static let limits = JSONLimits(maximumDepth: 3, maximumOctets: 4 << 10, maximumValues: 32)

    /// - Parameter payload: of the envelope. Members that are not known are left alone.
    public init(parsing payload: [UInt8]) throws(ReportError) {
        let document = try ReportError.document(payload, within: Self.limits)
        let problems = Self.kind.problemsOfKnown(in: document)
        guard problems.isEmpty else { throw .invalid(problems) }
        self.init(reading: document)
    }
}
