// SPDX-License-Identifier: Apache-2.0
import Credentials
import Database
import Enrolling
import HTTP
import Journal
import Signing
import System
import Time

/// Who boxes and people are, by what they show, while the reporter runs.
/// - Thread: the loop's only. A commit makes it wait for the disk.
final class EnrolmentDesk {
    /// Requests of keys that nobody knows.
    private static let requestLimit = RateLimit(atOnce: 100, perSecond: 20)

    private let store: EnrolmentStore
    private let log: Log
    private(set) var enrolments: Enrolments
    private var nonces: NonceBook
    private var users: Credentials
    private var usersText: String?
    private var lockout = Lockout()
    private var meter = RateMeter()
    var counters = EnrolmentCounters()

    /// - Parameter path: of the database, whose tables are there.
    init(_ path: String, log: Log) throws {
        self.log = log
        store = try EnrolmentStore(path)
        enrolments = try store.read()
        usersText = try store.usersText()
        users = try EnrolmentStore.users(usersText)
        guard let book = NonceBook(chance: try SystemRandom.bytes(32)) else {
            throw DatabaseError(description: "libsodium does not work on this machine")
        }
        nonces = book
    }

    // MARK: Callers

    /// - Parameter api: knows the tokens of the configuration.
    func caller(of request: HTTPRequest, by api: ReporterAPI) throws(ReporterRefusal) -> ReporterCaller {
        let (routes, variable) = ReporterRoute.of(path: request.path)
        let route = routes.first { $0.method == request.method } ?? routes.first
        // What anybody may ask is no guess, whatever stands beside it.
        guard route?.access != .anybody else { return .nobody }
        let box = route?.access == .box ? variable : nil
        if let known = api.configured(request) {
            if known == .anyBox, let box, let why = enrolments.revocation(of: box) { throw revoked(box, why) }
            return known
        }
        switch request.credentials(cookieName: "") {
        case nil: return .nobody
        case .token(let text)?:
            if let user = users.token(text, at: SystemClock.wall()) { return .person(user.name, user.role) }
            return try standing(of: text, as: box, request)
        case .session?, .unreadable?:
            try guessed(request, isOfBox: box != nil)
            return .nobody
        }
    }

    private func standing(
        of text: String, as box: String?, _ request: HTTPRequest
    ) throws(ReporterRefusal) -> ReporterCaller {
        switch enrolments.standing(of: text, as: box ?? "") {
        case .enrolled:
            // If the disk does not take it, the credential before counts after a restart as well, which harms nobody.
            try? writeTouched()
            return .box(box ?? "")
        case .other(let owner):
            counters.foreignBoxes += 1
            throw ReporterRefusal(403, "the credential is that of the box \(owner), and for that box alone")
        case .revoked(let why): throw revoked(box ?? "", why)
        case .unknown:
            try guessed(request, isOfBox: box != nil)
            return .nobody
        }
    }

    private func revoked(_ box: String, _ why: String) -> ReporterRefusal {
        counters.revokedBoxes += 1
        return ReporterRefusal(403, "the credential of the box \(box) was revoked: \(why)")
    }

    /// Counts a wrong token. Whoever shows a right one is never kept waiting: behind a proxy all have one address. Nor is a
    /// box, which has to hear that its credential is none any more.
    private func guessed(_ request: HTTPRequest, isOfBox: Bool) throws(ReporterRefusal) {
        let (now, address) = (SystemClock.monotonic(), request.peer.address)
        counters.unknownTokens += 1
        guard !isOfBox else { return }
        if let span = lockout.wait(of: address, at: now) {
            counters.throttled += 1
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
        counters.requests += 1
        guard meter.admits(Self.requestLimit, at: now) else {
            counters.throttled += 1
            throw ReporterRefusal(429, "too many boxes ask to enrol", retryAfter: 10)
        }
        meter.count(Self.requestLimit, at: now)
        let request: EnrolmentRequest
        do throws(Enrolments.Unproven) {
            request = try Enrolments.proven(octets)
        } catch {
            counters.unproven += 1
            throw ReporterRefusal(422, "\(error)")
        }
        guard nonces.use(request.nonce, at: now) else {
            counters.unproven += 1
            throw ReporterRefusal(
                409, "/payload: /nonce is none of GET /v1/nonce, is older than 2 minutes, or was used")
        }
        return request
    }

    // MARK: Changes

    /// Changes what is known if the disk has it.
    func commit<Result>(
        _ change: (inout Enrolments) throws(ReporterRefusal) -> Result
    ) throws(ReporterRefusal) -> Result {
        let before = enrolments
        do throws(ReporterRefusal) {
            let result = try change(&enrolments)
            try writeTouched()
            return result
        } catch {
            enrolments = before
            throw error
        }
    }

    private func writeTouched() throws(ReporterRefusal) {
        let touched = enrolments.takeTouched()
        guard !touched.isEmpty else { return }
        do throws(DatabaseError) {
            try store.write(enrolments, touched)
        } catch {
            log(.error, "nothing is kept", ["why": error])
            throw ReporterRefusal(503, "the database does not take it: \(error)", retryAfter: 20)
        }
    }

    /// - Parameter made: when the report was made by the box's clock; nil if that cannot be true.
    func reported(_ boot: String, of box: String, made: WallTime?) {
        enrolments.reported(boot, of: box, made: made, at: SystemClock.wall())
    }

    func tick() {
        enrolments.tick(at: SystemClock.wall())
        // It has been logged. What is not on the disk is seen again after a restart.
        try? writeTouched()
        for (box, sighting) in enrolments.takeNewClones() {
            counters.clones += 1
            log(.warning, "clone", ["box": box, "kind": sighting.kind.rawValue, "other": sighting.other])
        }
        counters.enrolled = enrolments.boxes.count
        counters.pending = enrolments.pending.count
        followUsers()
    }

    /// Another program may have changed them.
    private func followUsers() {
        do throws(DatabaseError) {
            let text = try store.usersText()
            guard text != usersText else { return }
            users = try EnrolmentStore.users(text)
            usersText = text
            log(.notice, "users", ["count": users.tokens.count])
        } catch {
            log(.debug, "users are not read", ["why": error])  // those before count until the database is well
        }
    }
}
