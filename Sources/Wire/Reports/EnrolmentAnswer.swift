// SPDX-License-Identifier: Apache-2.0
import JSON
import Shapes

/// What a reporter says to a box that enrols, or that asks for a nonce. Which members there are follows from the status
/// of the answer.
public struct EnrolmentAnswer: Record, Equatable {
    public static let mostOctets = 16 << 10

    /// What the box sends from now on as its bearer token; nil unless it is enrolled. Nobody can ask for it again.
    public var credential: String?
    /// What the next request has to have; of the answer to GET /v1/nonce alone.
    public var nonce: String?
    /// Why the box waits.
    public var why: String?

    public init() {}

    public static let shape = Shape<Self>([
        .member("credential", \.credential, .absentOr(.formatted(Self.tokenText)), "The box's bearer token."),
        .member("nonce", \.nonce, .absentOr(.text(1...128)), "For the next request."),
        .member("why", \.why, .absentOr(.text(0...2_048)), "Why the box waits."),
    ])

    private static let tokenText = TextFormat(
        "a token of 1 to 256 characters", schema: ["pattern": "^[A-Za-z0-9._~+/=-]{1,256}$"]
    ) { text in
        (1...256).contains(text.utf8.count)
            && text.utf8.allSatisfy { octet in
                switch octet {
                case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
                default: "._~+/=-".utf8.contains(octet)
                }
            }
    }

    public var octets: [UInt8] { json.octets() }

    private static let limits = JSONLimits(maximumDepth: 4, maximumOctets: mostOctets, maximumValues: 256)

    /// - Throws: if it is not the answer of a reporter, such as the page of a login.
    public init(parsing octets: [UInt8]) throws(ReportError) {
        let document = try ReportError.document(octets, within: Self.limits)
        let problems = Self.kind.problemsOfKnown(in: document)
        guard problems.isEmpty else { throw .invalid(problems) }
        self.init(reading: document)
    }
}
