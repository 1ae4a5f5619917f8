// SPDX-License-Identifier: Apache-2.0
import Commands
import Credentials
import Hosting
import Shapes
import Time

/// The section `access` of the settings.
struct AccessSettings: SettingsSection {
    static let name = "access"
    static let help = "Who may do what without a token, and how guesses of tokens are slowed down."
    static let isLocalOnly = true

    enum LoopbackRole: String, Sendable, CaseIterable { case http, none, viewer, `operator`, administrator }
    enum AnonymousRole: String, Sendable, CaseIterable { case none, viewer }

    var groupRole = Role.administrator
    var loopbackRole = LoopbackRole.http
    var anonymousRole = AnonymousRole.none
    var lockout = LockoutSettings()
    var console = ConsoleSettings()

    static let shape = Shape<Self>([
        .setting(
            "groupRole", \.groupRole, .choice, .atOnce,
            "Role of members of the group touchline at the control socket. Root and the service are administrators."),
        .setting(
            "loopbackRole", \.loopbackRole, .choice, .atOnce,
            "Role of HTTP clients of this machine that show no token; http: as http.role says."),
        .setting(
            "anonymousRole", \.anonymousRole, .choice, .atOnce,
            "Role of HTTP clients from elsewhere that show no token."),
        .group("lockout", \.lockout, "How guesses of tokens are slowed down."),
        .group("console", \.console, "Who is at the console on the serial line."),
    ])

    /// - Parameter http: what `http.role` says.
    func standing(_ http: Role?) -> Gate.Standing {
        let loopback = loopbackRole == .http ? http : Role(rawValue: loopbackRole.rawValue)
        return Gate.Standing(loopback: loopback, elsewhere: Role(rawValue: anonymousRole.rawValue))
    }
}

struct ConsoleSettings: Record {
    var user = "touchline-console"
    var idleSeconds: Int64 = 300
    var isRecoverable = true

    static let shape = Shape<Self>([
        .setting(
            "user", \.user, .text(0...32), .atOnce,
            "The local user who may do nothing without logging in with a token, once there are tokens; empty: nobody is."
        ),
        .setting(
            "idleSeconds", \.idleSeconds, .integer(30...86_400), .atOnce,
            "After how long without a key somebody who logged in at a console is logged out."),
        .setting(
            "isRecoverable", \.isRecoverable, .boolean, .atOnce,
            "Whether who types 'lost' there in place of a token is shown a code on the screen with which the box forgets its tokens."
        ),
    ])
}

struct LockoutSettings: Record {
    var tries = 20
    var seconds: Int64 = 60
    var total = 200

    static let shape = Shape<Self>([
        .setting(
            "tries", \.tries, .integer(3...1_000), .atOnce,
            "Wrong tokens after which an address has to wait."),
        .setting(
            "seconds", \.seconds, .integer(1...3_600), .atOnce,
            "How long it waits the first time; each further time twice as long, up to 16 times."),
        .setting(
            "total", \.total, .integer(10...10_000), .atOnce,
            "Wrong tokens of all addresses after which those wait that never showed a right one; one a second is forgotten."
        ),
    ])

    var limits: Lockout.Limits { Lockout.Limits(tries: tries, span: .seconds(seconds), total: total) }
}
