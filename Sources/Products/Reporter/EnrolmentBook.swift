// SPDX-License-Identifier: Apache-2.0
import Collecting
import Credentials
import Enrolling
import JSON
import Journal
import System
import Time

/// What a store has of boxes that enrolled, and of users, as far as it was read. What it has written is on the disk.
/// - Thread: one at a time. It waits for the disk, or for hosts that are away.
final class EnrolmentBook {
    private static let limits = JSONLimits(maximumDepth: 6, maximumOctets: 64 << 10, maximumValues: 1_024)

    private let store: EnrolmentStore
    private let known: KnownCallers
    private let log: Log
    private var connection: EnrolmentConnection?
    /// The number of the last change that is known.
    private var number: Int64 = -1
    private(set) var enrolments = Enrolments()
    private var users = Credentials()
    private var usersText: String?

    init(_ store: EnrolmentStore, _ known: KnownCallers, log: Log) {
        (self.store, self.known, self.log) = (store, known, log)
    }

    // MARK: Reading

    /// Reads what others have written since.
    func follow() throws(StoreError) {
        let began = SystemClock.monotonic()
        do throws(StoreError) {
            try take(try opened().changes(number))
        } catch {
            connection = nil
            throw error
        }
        publish(readAt: began)
    }

    private func opened() throws(StoreError) -> EnrolmentConnection {
        if let connection { return connection }
        let opened = try store.open()
        connection = opened
        return opened
    }

    private func take(_ changes: EnrolmentChanges) throws(StoreError) {
        guard changes.isWhole || changes.number != number else { return }
        var next = changes.isWhole ? Enrolments() : enrolments
        var text = changes.isWhole ? nil : usersText
        for row in changes.rows where row.kind != EnrolmentRow.counter {
            if row.kind == EnrolmentRow.users {
                text = row.text
            } else if !Self.take(row, &next) {
                throw StoreError(.damaged, "a row of enrolments is none of ours: \(row.kind)")
            }
        }
        if text != usersText {
            users = try Self.users(text)
            if number >= 0 { log(.notice, "users", ["count": users.tokens.count]) }
            usersText = text
        }
        enrolments = next
        number = changes.number
    }

    private static func take(_ row: EnrolmentRow, _ enrolments: inout Enrolments) -> Bool {
        guard let kind = EnrolmentRecord.Kind(rawValue: row.kind) else { return false }
        guard let text = row.text else { return enrolments.take(EnrolmentRecord(kind, row.id, nil)) }
        guard let document = try? JSONValue.parse(text, limits: limits) else { return false }  // the caller tells it
        return enrolments.take(EnrolmentRecord(kind, row.id, document))
    }

    private static func users(_ text: String?) throws(StoreError) -> Credentials {
        guard let text else { return Credentials() }
        do {
            return try Credentials(parsing: Array(text.utf8))
        } catch {
            throw StoreError(.damaged, "the users are none of ours: \(error)")
        }
    }

    private func publish(readAt time: Monotonic) {
        known.with { state in
            (state.enrolments, state.users, state.read) = (enrolments, users, time)
            state.counters.enrolled = enrolments.boxes.count
            state.counters.pending = enrolments.pending.count
        }
    }

    // MARK: Writing

    /// Changes what is known of boxes, if the store has it.
    func commit<Result>(
        _ change: (inout Enrolments) throws(ReporterRefusal) -> Result
    ) throws(ReporterRefusal) -> Result {
        var result: Swift.Result<Result, ReporterRefusal>?
        var next = enrolments
        do throws(StoreError) {
            try write {
                next = enrolments
                do throws(ReporterRefusal) {
                    result = .success(try change(&next))
                } catch {
                    result = .failure(error)
                    return []
                }
                return next.records(of: next.takeTouched()).map { record in
                    EnrolmentRow(kind: record.kind.rawValue, id: record.id, text: record.document?.text())
                }
            } then: {
                if case .success = result { enrolments = next }
            }
        } catch {
            log(.error, "nothing is kept", ["why": error, "kind": error.kind.rawValue])
            throw ReporterRefusal(503, "the database does not take it: \(error)", retryAfter: store.isShared ? 3 : 20)
        }
        for (box, sighting) in enrolments.takeNewClones() {
            known.count(\.clones)
            log(.warning, "clone", ["box": box, "kind": sighting.kind.rawValue, "other": sighting.other])
        }
        guard let result else { preconditionFailure("a transaction that ends has carried out its body") }
        return try result.get()
    }

    /// Changes the users, unless that is refused.
    func changeUsers<Result>(
        _ change: (inout Credentials) throws(Credentials.Refusal) -> Result
    ) throws(StoreError) -> Swift.Result<Result, Credentials.Refusal> {
        var result: Swift.Result<Result, Credentials.Refusal>?
        var next = users
        try write {
            next = users
            do throws(Credentials.Refusal) {
                result = .success(try change(&next))
            } catch {
                result = .failure(error)
                return []
            }
            return [
                EnrolmentRow(kind: EnrolmentRow.users, id: "", text: String(decoding: next.octets, as: UTF8.self))
            ]
        } then: {
            guard case .success = result else { return }
            (users, usersText) = (next, String(decoding: next.octets, as: UTF8.self))
        }
        guard let result else { preconditionFailure("a transaction that ends has carried out its body") }
        return result
    }

    /// - Parameters:
    ///   - rows: to be written, once everything before is known.
    ///   - done: called when they are on the disk.
    private func write(_ rows: () -> [EnrolmentRow], then done: () -> Void) throws(StoreError) {
        let began = SystemClock.monotonic()
        var damage: StoreError?
        let last: Int64
        do throws(StoreError) {
            last = try opened().write(number) { changes in
                damage = nil
                do throws(StoreError) {
                    try take(changes)
                } catch {
                    damage = error
                    return []
                }
                return rows()
            }
        } catch {
            connection = nil
            throw error
        }
        if let damage { throw damage }
        number = last
        done()
        publish(readAt: began)
    }

    /// Forgets what nobody needs any more.
    func tidy() {
        let now = SystemClock.wall()
        var next = enrolments
        next.tick(at: now)
        guard !next.takeTouched().isEmpty else { return }
        // It has been logged, and is done later.
        try? commit { (all) throws(ReporterRefusal) in all.tick(at: now) }
    }
}
