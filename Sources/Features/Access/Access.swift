// SPDX-License-Identifier: Apache-2.0
import Auditing
import Commands
import Credentials
import Hosting
import Journal
import Presentation
import Shapes
import Signing
import Statistics
import System
import Time
import Venue

/// The feature that says who may do what: tokens, the first claim of a box, and the audit of what was done and refused.
/// `Gate` knows callers, on any thread; here it is changed, and what it notes is told.
public final class Access: Feature {
    public static let summary = """
        who may do what: tokens, the first claim of a box by a code that it shows, and the audit; commands `access-status`, \
        `token-create`, `-list`, `-revoke`, `claim-open`, `claim`, `access-reset`, `audit`; settings `access`
        """

    /// What the product provides.
    public struct Sources {
        /// Directory of the files that outlive the settings.
        public var directory: String
        /// The time of day, never before the program was built.
        public var wall: () -> WallTime
        /// Whether something that knows the time has set the clock.
        public var isClockSet: () -> Bool
        /// Text of the certificate's fingerprint; nil if HTTP has none.
        public var fingerprint: () -> String?
        /// Whether HTTP is served beyond this machine, so that a box that nobody has claimed shows its code after power-on.
        public var isReachable: () -> Bool
        /// What `http.role` says.
        public var httpRole: () -> Role?
        /// Called when callers that were admitted may not be any more.
        public var changed: () -> Void
        package var monotonic: () -> Monotonic = { SystemClock.monotonic() }
        package var chance: (Int) throws(SystemCallError) -> [UInt8] = { (count) throws(SystemCallError) in
            try SystemRandom.bytes(count)
        }

        public init(
            directory: String, wall: @escaping () -> WallTime, isClockSet: @escaping () -> Bool,
            fingerprint: @escaping () -> String?, isReachable: @escaping () -> Bool,
            httpRole: @escaping () -> Role?, changed: @escaping () -> Void
        ) {
            self.directory = directory
            self.wall = wall
            self.isClockSet = isClockSet
            self.fingerprint = fingerprint
            self.isReachable = isReachable
            self.httpRole = httpRole
            self.changed = changed
        }
    }

    public static var commands: [Handler<Access>] {
        [
            Handler(ShowAccess.self), Handler(CreateToken.self), Handler(ListTokens.self), Handler(RevokeToken.self),
            Handler(OpenClaim.self), Handler(ClaimBox.self), Handler(ResetAccess.self), Handler(ShowAudit.self),
        ]
    }
    public static var events: [EventDescription] {
        [
            EventDescription(BoxClaimed.self), EventDescription(ClaimOpened.self), EventDescription(TokenCreated.self),
            EventDescription(TokenRevoked.self), EventDescription(AccessForgotten.self),
            EventDescription(SourceLockedOut.self),
        ]
    }
    public static var sections: [SectionDescription] { [SectionDescription(AccessSettings.self)] }

    /// For how long after power-on a box that nobody has claimed shows its code.
    static let powerOnSpan = Nanoseconds.seconds(600)
    /// For how long the code stands above a picture.
    private static let messageSpan = Nanoseconds.seconds(60)

    public let gate: Gate
    let context: FeatureContext
    let sources: Sources
    let log: Log
    let store: CredentialStore
    private let auditStore: AuditStore
    private(set) var trail: AuditTrail
    private let notice: ClaimNotice
    private let screen: ScreenTextWriter
    /// Why the credentials could not be read; nil if they were.
    private(set) var problem: String?
    /// Whether the claim that opens by itself was looked at.
    private var hasLookedAtPowerOn = false
    private var isStopped = false
    private var saidAuditProblem = false
    private let auditProblem: String?
    /// Of members of the group `touchline` at the control socket.
    public private(set) var groupRole: Role
    private var console: ConsoleSettings
    /// The number of the console's user; nil if there is none.
    private var consoleUser: UInt32?

    public init(_ context: FeatureContext) throws(Status) {
        self.context = context
        sources = context.provided(Sources.self)
        log = context.journal.log(for: "access")
        notice = context.provided(ClaimNotice.self)
        screen = context.provided(ScreenTextWriter.self)
        let running = context.settings.running
        let settings = running[AccessSettings.self]
        gate = Gate(settings.standing(sources.httpRole()), settings.lockout.limits)
        groupRole = settings.groupRole
        console = settings.console
        consoleUser = SystemUser.number(of: settings.console.user)
        do {
            store = try CredentialStore(directory: sources.directory, loop: context.loop)
            auditStore = try AuditStore(directory: sources.directory, loop: context.loop)
        } catch {
            throw .failure(.failed, "\(error)")
        }
        (trail, auditProblem) = auditStore.read()
        do {
            gate.use(try store.read())
        } catch {
            problem = "\(store.path): \(error)"
        }
        auditStore.onProblem = { [weak self] in self?.auditFailed($0) }
        context.settings.follow(AccessSettings.self) { [weak self] settings in
            guard let self else { return }
            gate.use(settings.standing(sources.httpRole()), settings.lockout.limits)
            groupRole = settings.groupRole
            console = settings.console
            consoleUser = SystemUser.number(of: settings.console.user)
            sources.changed()
        }
    }

    public func start() {
        context.statistics.attach(
            StatisticGroup("access", AccessFigures.statistics) { [weak self] in self?.figures })
        log(.debug, "tokens known", ["count": figures.tokens])
        if let problem { log(.error, "tokens are not known", ["why": problem]) }
        if let auditProblem { auditFailed(auditProblem) }
    }

    public func tick(at now: Monotonic) {
        tellWhatTheGateNoted()
        openAfterPowerOn(at: sources.monotonic())
        showClaim(at: sources.monotonic())
    }

    public func stop() {
        tellWhatTheGateNoted()
        isStopped = true
        store.stop()
        auditStore.stop()
    }

    func forgetProblem() { problem = nil }

    // MARK: The audit

    /// Notes what somebody did or tried.
    public func note(_ act: Act) {
        if case .refused = act.outcome { gate.countRefusal() }
        keep(act)
    }

    private func keep(_ act: Act) {
        guard !isStopped, let entry = trail.add(act, at: sources.wall()) else { return }
        auditStore.append(entry)
    }

    func tellWhatTheGateNoted() {
        let (acts, lockedOut) = gate.takeActs()
        for act in acts { keep(act) }
        for address in lockedOut {
            log(.warning, "too many wrong tokens", ["address": address])
            context.emit(SourceLockedOut(address: address))
        }
    }

    private func auditFailed(_ why: String) {
        guard !saidAuditProblem else { return }
        saidAuditProblem = true
        log(.error, "the audit is not kept", ["why": why])
    }

    private var figures: AccessFigures {
        let now = sources.monotonic()
        return AccessFigures(
            gate: gate.counters, tokens: gate.credentials.tokens.count, sessions: gate.sessionCount(at: now),
            lockedOut: gate.lockedCount(at: now), auditLost: auditStore.lost)
    }

    // MARK: The console

    /// Whether who has lost the tokens may have a code on the screen.
    var isRecoverable: Bool { console.isRecoverable }

    /// After how many seconds without a key somebody is logged out there.
    public var consoleIdleSeconds: Int64 { console.idleSeconds }

    /// Whether the local user of this number may do nothing without a session. A box without tokens has nobody who could
    /// log in; whoever is at its line may claim it.
    public func needsSession(_ user: UInt32) -> Bool {
        user == consoleUser && (problem != nil || !gate.credentials.tokens.isEmpty)
    }

    /// Opens a session for somebody at the console.
    public func logIn(_ token: String) throws(Status) -> (text: String, caller: Caller) {
        if let told = recovery(token) { throw told }
        let chance: [UInt8]
        do {
            chance = try sources.chance(SecretText.tokenOctets)
        } catch {
            throw .failure(.failed, "\(error)")
        }
        let opened = gate.open(
            token, from: nil, by: .console, chance: chance, at: sources.monotonic(), wall: sources.wall())
        switch opened {
        case .success(let session): return (session.text, session.caller)
        case .failure(.unknown):
            throw .failure(.failed, problem ?? "the token is none of this box; expected one that token-create made")
        case .failure(.wait(let span)):
            throw .failure(.busy, "too many wrong tokens; none is looked at for \(span.seconds + 1) s")
        }
    }

    /// The caller whose session this is.
    public func caller(ofSession text: String) throws(Status) -> Caller {
        let caller = gate.caller(ofSession: text, by: .console, at: sources.monotonic(), wall: sources.wall())
        guard let caller else {
            throw .failure(.failed, "nobody is logged in any more; expected a login at the console")
        }
        return caller
    }

    // MARK: The claim on the screen

    /// The clock of the kernel counts from power-on, so that a service that starts again opens nothing later.
    private func openAfterPowerOn(at now: Monotonic) {
        let end = Monotonic(nanoseconds: 0) + Self.powerOnSpan
        guard !hasLookedAtPowerOn, sources.isReachable() else { return }
        hasLookedAtPowerOn = true
        guard now < end, problem == nil, gate.credentials.claim == nil, gate.window(at: now) == nil else { return }
        do throws(Status) {
            _ = try openWindow(until: end)
        } catch {
            log(.error, "the claim is not open", ["why": error.errorString])
        }
    }

    func openWindow(until end: Monotonic) throws(Status) -> ClaimWindow {
        let window: ClaimWindow
        do {
            window = ClaimWindow(chance: try sources.chance(SecretText.codeOctets), until: end)
        } catch {
            throw .failure(.failed, "\(error)")
        }
        gate.open(window)
        let now = sources.monotonic()
        log(.notice, "the box can be claimed", ["seconds": (end - now).seconds])
        context.emit(ClaimOpened(seconds: (end - now).seconds))
        showClaim(at: now)
        return window
    }

    /// A code is shown above a picture too when somebody at the box has asked for it.
    func showClaimAbovePicture() { _ = showAbovePicture(notice.lines) }

    /// - Returns: false if the screen does not take it.
    func showAbovePicture(_ lines: [String]) -> Bool {
        let message = ScreenMessage(
            lines.joined(separator: "\n"), background: .black,
            isLarge: false)
        let isTaken = screen.write(.message(message, span: Self.messageSpan))
        if !isTaken { log(.warning, "the code is not above the picture: the text thread does not take it") }
        return isTaken
    }

    func showClaim(at now: Monotonic) {
        guard let window = gate.window(at: now) else {
            notice.lines = []
            return
        }
        notice.lines = ["Claim this box with the code \(window.code)"]
        if let fingerprint = sources.fingerprint() { notice.lines.append("Certificate \(fingerprint)") }
    }
}

struct AccessFigures {
    let gate: Gate.Counters
    let tokens: Int
    let sessions: Int
    let lockedOut: Int
    let auditLost: Int

    static let statistics: [Statistic<Self>] = [
        .counter("refused", \.gate.refused, "requests", "Commands that callers had no right to.", .fault),
        .counter("unknown", \.gate.unknown, "requests", "Wrong tokens and sessions.", .fault),
        .counter(
            "throttled", \.gate.throttled, "requests", "Requests answered unseen, because their address had to wait.",
            .fault),
        .counter("lockouts", \.gate.lockouts, "times", "How often an address had to wait.", .fault),
        .counter("logins", \.gate.logins, "sessions", "Sessions that were opened with a token."),
        .counter("auditLost", \.auditLost, "entries", "Entries of the audit that the disk did not take.", .fault),
        .gauge("tokens", \.tokens, "tokens", "Tokens that there are."),
        .gauge("sessions", \.sessions, "sessions", "Sessions that are open."),
        .gauge("lockedOut", \.lockedOut, "addresses", "Addresses that have to wait."),
    ]
}
