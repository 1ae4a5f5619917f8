// SPDX-License-Identifier: Apache-2.0
import Credentials
import Enrolling
import HTTP
import Journal
import Reports
import Signing
import System
import Time

/// Who boxes and people are, by what they show, while the reporter runs.
/// - Thread: the loop's only. It waits for nothing.
final class EnrolmentDesk {
    /// Requests of keys that nobody knows.
    private static let requestLimit = RateLimit(atOnce: 100, perSecond: 20)

    let known: KnownCallers
    private let store: EnrolmentStore
    private let log: Log
    private var nonces: NonceBook
    private var watches = StartWatches()
    private var lockout = Lockout()
    private var meter = RateMeter()
    /// nil before the start and after the end.
    private var keeper: EnrolmentKeeper?
    /// Has something done with the book, later and on another thread; false if too much waits.
    var submit: (@escaping EnrolmentKeeper.Job) -> Bool = { _ in false }

    /// - Parameter chance: 32 random octets.
    /// - Returns: nil if libsodium does not work on this machine.
    init?(_ store: EnrolmentStore, _ known: KnownCallers, chance: [UInt8], log: Log) {
        guard let book = NonceBook(chance: chance) else { return nil }
        (self.store, self.known, nonces, self.log) = (store, known, book, log)
    }

    /// Begins to read and to write the store.
    func start() throws(SystemCallError) {
        let keeper = try EnrolmentKeeper(store, known, log: log)
        self.keeper = keeper
        submit = { job in keeper.submit(job) }
    }

    /// Does what waits.
    func stop() {
        submit = { _ in false }
        keeper?.stop()
        keeper = nil
    }

    // MARK: Callers

    /// - Parameter api: knows the tokens of the configuration.
    func caller(of request: HTTPRequest, by api: ReporterAPI) throws(ReporterRefusal) -> ReporterCaller {
        let (routes, variable) = ReporterRoute.of(path: request.path)
        let route = routes.first { $0.method == request.method } ?? routes.first
        // What anybody may ask is no guess, whatever stands beside it.
        guard route?.access != .anybody else { return .nobody }
        let box = route?.access == .box ? variable : nil
        if let configured = api.configured(request) {
            if configured == .anyBox, let box, let why = known.with({ $0.enrolments.revocation(of: box) }) {
                throw revoked(box, why)
            }
            return configured
        }
        switch request.credentials(cookieName: "") {
        case nil: return .nobody
        case .token(let text)?:
            // What another reporter has revoked must not count here for long.
            guard known.isFresh(at: SystemClock.monotonic()) else {
                throw ReporterRefusal(503, "the database does not say who is known", retryAfter: 3)
            }
            if let user = known.users.token(text, at: SystemClock.wall()) { return .person(user.name, user.role) }
            return try standing(of: text, as: box, request)
        case .session?, .unreadable?:
            try guessed(request, isOfBox: box != nil)
            return .nobody
        }
    }

    private func standing(
        of text: String, as box: String?, _ request: HTTPRequest
    ) throws(ReporterRefusal) -> ReporterCaller {
        switch known.with({ $0.enrolments.standing(of: text, as: box ?? "") }) {
        case .enrolled: return .box(box ?? "")
        case .enrolledAnew:
            used(text, by: box ?? "")
            return .box(box ?? "")
        case .other(let owner):
            known.count(\.foreignBoxes)
            throw ReporterRefusal(403, "the credential is that of the box \(owner), and for that box alone")
        case .revoked(let why): throw revoked(box ?? "", why)
        case .unknown:
            try guessed(request, isOfBox: box != nil)
            return .nobody
        }
    }

    /// The box has got its new credential: the one before is none any more, here at once.
    private func used(_ text: String, by box: String) {
        known.with { _ = $0.enrolments.use(text, as: box) }
        // If the store does not take it, the one before counts there until the box uses the new one again.
        _ = submit { book in
            guard book.enrolments.standing(of: text, as: box) == .enrolledAnew else { return }
            try? book.commit { (all) throws(ReporterRefusal) in _ = all.use(text, as: box) }
        }
    }

    private func revoked(_ box: String, _ why: String) -> ReporterRefusal {
        known.count(\.revokedBoxes)
        return ReporterRefusal(403, "the credential of the box \(box) was revoked: \(why)")
    }

    /// Counts a wrong token. Whoever shows a right one is never kept waiting: behind a proxy all have one address. Nor is a
    /// box, which has to hear that its credential is none any more.
    private func guessed(_ request: HTTPRequest, isOfBox: Bool) throws(ReporterRefusal) {
        let (now, address) = (SystemClock.monotonic(), request.peer.address)
        known.count(\.unknownTokens)
        guard !isOfBox else { return }
        if let span = lockout.wait(of: address, at: now) {
            known.count(\.throttled)
            throw ReporterRefusal(429, "too many wrong tokens came", retryAfter: max(1, span.seconds))
        }
        if lockout.failed(address, at: now) { log(.warning, "wrong tokens", ["from": address]) }
    }

    // MARK: Nonces

    func nonce() throws(ReporterRefusal) -> String {
        guard let chance = try? SystemRandom.bytes(NonceBook.chanceOctets) else {
            throw ReporterRefusal(503, "the kernel has no random octets", retryAfter: 5)
        }
        return nonces.nonce(chance: chance, at: SystemClock.monotonic())
    }

    /// A request that its key has signed, with a nonce that counts.
    func proven(_ octets: [UInt8]) throws(ReporterRefusal) -> EnrolmentRequest {
        let now = SystemClock.monotonic()
        known.count(\.requests)
        guard meter.admits(Self.requestLimit, at: now) else {
            known.count(\.throttled)
            throw ReporterRefusal(429, "too many boxes ask to enrol", retryAfter: 10)
        }
        meter.count(Self.requestLimit, at: now)
        let request: EnrolmentRequest
        do throws(Enrolments.Unproven) {
            request = try Enrolments.proven(octets)
        } catch {
            known.count(\.unproven)
            throw ReporterRefusal(422, "\(error)")
        }
        guard nonces.use(request.nonce, at: now) else {
            known.count(\.unproven)
            throw ReporterRefusal(
                409, "/payload: /nonce is none of GET /v1/nonce, is older than 2 minutes, or was used")
        }
        return request
    }

    // MARK: Clones

    /// - Parameter made: when the report was made by the box's clock; nil if that cannot be true.
    func reported(_ boot: String, of box: String, made: WallTime?) {
        guard let starts = watches.reported(boot, of: box, made: made) else { return }
        let now = SystemClock.wall()
        guard known.with({ !$0.enrolments.isNoted(.starts, starts, of: box, at: now) }) else { return }
        _ = submit { book in  // the next report of the box says it again
            try? book.commit { (all) throws(ReporterRefusal) in all.noteClone(of: box, .starts, starts, at: now) }
        }
    }

    /// Somebody has looked into it.
    func forgetClones(of box: String) { watches.forget(box) }
}
