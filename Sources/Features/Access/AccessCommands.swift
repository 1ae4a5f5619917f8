// SPDX-License-Identifier: Apache-2.0
import Commands
import Credentials
import Hosting
import Shapes
import Time
import Venue

struct CreateToken: DeferredCommand {
    var name = ""
    var role = Role.viewer
    var days: Int64?

    static let about = About(
        "token-create", "Make a token, which is shown once",
        help: """
            Whoever shows it by HTTP has its role: as Authorization: Bearer TOKEN, or to log in on the page. The box keeps \
            no token, only what it takes to know it again.
            """, role: .administrator, answersSecret: true)
    static let shape = Shape<Self>([
        .argument("name", \.name, .text(Credentials.nameLength), "Name by which the audit calls who has it."),
        .option("role", \.role, .choice, "What it is for."),
        .option("days", \.days, .absentOr(.integer(1...3_650)), "After how many days it is none; absent: never."),
    ])

    func run(on access: Access, _ reply: Reply<MadeToken>) { access.create(name, as: role, days: days, reply) }
}

struct MadeToken: Answer {
    let name: String
    let role: Role
    let token: String
    let expires: WallTime?

    static let shape = Shape<Self>([
        .value("name", \.name, .text, "by which it is known"), .value("role", \.role, .choice, "what it is for"),
        .value("token", \.token, .text, "the token; nobody can ask for it again"),
        .computed("expires", .text, "from when on it is none; absent: never") { $0.expires?.description },
    ])
}

struct ListTokens: Command {
    static let about = About("token-list", "List the tokens, by name", role: .administrator, example: "")
    static let shape = Shape<Self>()

    func run(on access: Access) throws(Status) -> TokenList {
        TokenList(tokens: access.gate.credentials.tokens.map { TokenList.Row(token: $0) })
    }
}

struct TokenList: Answer {
    struct Row: Answer {
        let token: AccessToken

        static let shape = Shape<Self>([
            .value("name", \.token.name, .text, "by which it is known"),
            .value("role", \.token.role, .choice, "what it is for"),
            .computed("created", .text, "when it was made") { $0.token.created.description },
            .computed("expires", .text, "from when on it is none; absent: never") { $0.token.expires?.description },
        ])
    }

    let tokens: [Row]

    static let shape = Shape<Self>([.value("tokens", \.tokens, .list(of: .row), "the oldest first")])
}

struct RevokeToken: DeferredCommand {
    var name = ""

    static let about = About(
        "token-revoke", "Revoke a token", help: "What is open with it ends at once.", role: .administrator)
    static let shape = Shape<Self>([
        .argument("name", \.name, .text(Credentials.nameLength), names: "token-list", "Name of the token.")
    ])

    func run(on access: Access, _ reply: Reply<Done>) { access.revoke(name, reply) }
}

struct OpenClaim: Command {
    static let about = About(
        "claim-open", "Show a code with which the box can be claimed",
        help: """
            For ten minutes and five tries, on the screen and here; not once somebody has claimed the box. Who types it on \
            the page becomes its administrator.
            """, role: .administrator, admission: .atBox, answersSecret: true)
    static let shape = Shape<Self>()

    func run(on access: Access) throws(Status) -> OpenedClaim { try access.openClaim() }
}

struct OpenedClaim: Answer {
    let code: String
    let seconds: Int64
    let fingerprint: String?

    static let shape = Shape<Self>([
        .value("code", \.code, .text, "as the screen shows it"), .value("seconds", \.seconds, .count, "for how long"),
        .unlessNil("fingerprint", \.fingerprint, .text, "of the certificate of HTTP; absent: it has none"),
    ])
}

struct ClaimBox: DeferredCommand, CalledCommand {
    var code = ""
    var name = "administrator"
    var caller = Caller.service

    static let about = About(
        "claim", "Claim a box with the code that it shows",
        help: "Answers the first administrator's token. Nobody else can claim the box then.", admission: .everybody,
        answersSecret: true)
    static let shape = Shape<Self>([
        .argument("code", \.code, .text(1...64), isSecret: true, "The code, in any letters."),
        .option("name", \.name, .text(Credentials.nameLength), "Name of the administrator's token."),
    ])

    func run(on access: Access, _ reply: Reply<MadeToken>) { access.claim(code, as: name, by: caller, reply) }
}

struct ResetAccess: DeferredCommand {
    static let about = About(
        "access-reset", "Forget all tokens and who has claimed the box",
        help: "For who has lost the administrator's token. The audit stays.", role: .administrator, admission: .atBox)
    static let shape = Shape<Self>()

    func run(on access: Access, _ reply: Reply<Done>) { access.reset(reply) }
}

struct ShowAccess: Command, CalledCommand {
    var caller = Caller.service

    static let about = About("access-status", "Show whether the box is claimed, and who may do what", example: "")
    static let shape = Shape<Self>()

    func run(on access: Access) throws(Status) -> AccessStatus {
        let (now, credentials) = (access.sources.monotonic(), access.gate.credentials)
        let window = access.gate.window(at: now)
        return AccessStatus(
            claim: credentials.claim != nil ? .claimed : window == nil ? .closed : .open,
            claimedBy: credentials.claim?.name, code: caller.isAtBox ? window?.code : nil,
            secondsLeft: window.map { max(0, ($0.end - now).seconds) }, triesLeft: window?.triesLeft,
            fingerprint: access.sources.fingerprint(), tokens: credentials.tokens.count,
            sessions: access.gate.sessionCount(at: now), lockedOut: access.gate.lockedCount(at: now),
            problem: caller.role == .administrator ? access.problem : nil, role: caller.role?.rawValue ?? "none",
            name: caller.name)
    }
}

struct AccessStatus: Answer {
    enum Claim: String, Sendable, CaseIterable { case claimed, closed, open }

    let claim: Claim
    let claimedBy: String?
    let code: String?
    let secondsLeft: Int64?
    let triesLeft: Int?
    let fingerprint: String?
    let tokens: Int
    let sessions: Int
    let lockedOut: Int
    let problem: String?
    let role: String
    let name: String?

    static let shape = Shape<Self>([
        .value("claim", \.claim, .choice, "claimed; open: it can be claimed with a code; closed"),
        .unlessNil("claimedBy", \.claimedBy, .text, "name of the first administrator's token; absent: nobody's"),
        .unlessNil("code", \.code, .text, "told at the box alone; absent: none"),
        .unlessNil("secondsLeft", \.secondsLeft, .count, "until the claim closes; absent: it is not open"),
        .unlessNil("triesLeft", \.triesLeft, .count, "codes that can still be tried; absent: none"),
        .unlessNil("fingerprint", \.fingerprint, .text, "of the certificate of HTTP; absent: it has none"),
        .value("tokens", \.tokens, .count, "how many there are"),
        .value("sessions", \.sessions, .count, "how many pages are logged in"),
        .value("lockedOut", \.lockedOut, .count, "addresses that have to wait"),
        .unlessNil("problem", \.problem, .text, "why the tokens are not known; absent: they are"),
        .value("role", \.role, .text, "of who asks"),
        .unlessNil("name", \.name, .text, "by which who asks is known; absent: it is not"),
    ])
}
