// SPDX-License-Identifier: Apache-2.0
import JSON
import Time

/// Changes that have to prove themselves.
extension SettingsStore {
    /// Tells what works. To be called once a second.
    /// - Returns: what is to be done: `confirm`, or `takeBack`.
    public func observe(_ working: Set<WorkingCondition>, at now: Monotonic) -> ConfirmationWatch.Verdict {
        guard !isChanging, var pending else { return .wait }
        let verdict = pending.watch.observe(working, at: now)
        // What has proved itself is not taken back later for something that stops working while it is held.
        if holdsChanges, verdict == .confirm { pending.watch = ConfirmationWatch([], pending.watch.times) }
        self.pending = pending
        return (pending.awaitsRestart || holdsChanges) && verdict == .confirm ? .wait : verdict
    }

    /// The document of a revision that is kept; that of revision 0 is empty.
    public func document(of revision: Int) throws(SettingsFailure) -> JSONValue {
        if revision == 0 { return [:] }
        guard let found = history.first(where: { $0.number == revision }) else {
            throw .unknownRevision(revision, known: history.map(\.number))
        }
        return found.document
    }

    /// Whether the settings of a revision were taken back, or gave way to others before they were confirmed.
    public func wasTakenBack(_ revision: Int) -> Bool {
        guard history.contains(where: { $0.number == revision && $0.unconfirmed != nil }) else { return false }
        return pending.map { revision <= $0.returnTo.number } ?? true
    }

    /// How a change has to prove itself; nil if it need not.
    /// - Parameters:
    ///   - changes: what this change alone makes different.
    ///   - within: the time that its author gives; nil if none is given.
    func confirmation(of changes: [SettingChange], within: Nanoseconds?) -> PendingConfirmation? {
        var times = confirmationTimes
        if let within { times.within = within }
        let restarts = changes.contains { $0.effect == .needsRestart }
        let expected = expected(of: changes, isAsked: within != nil)
        // Until the revision in force is confirmed, all that follows is unconfirmed with it.
        if let pending {
            return PendingConfirmation(
                returnTo: pending.returnTo,
                watch: ConfirmationWatch(pending.watch.expected.union(expected ?? []), times),
                awaitsRestart: restarts || pending.awaitsRestart)
        }
        guard let expected else { return nil }
        return PendingConfirmation(
            returnTo: revision, watch: ConfirmationWatch(expected, times), awaitsRestart: restarts)
    }

    /// What worked before and has to work with the changes: a caller, if they may cut callers off, and the rest, if they
    /// may cost the picture; nil if they need not prove themselves.
    /// - Parameter isAsked: whether they have to in any case.
    private func expected(of changes: [SettingChange], isAsked: Bool) -> Set<WorkingCondition>? {
        let risksControl = changes.contains { $0.effect == .interruptsControl }
        let risksPicture = changes.contains { $0.effect >= .interruptsPicture }
        guard !changes.isEmpty, risksControl || risksPicture || isAsked || holdsChanges else { return nil }
        let working = working()
        var expected: Set<WorkingCondition> = []
        if risksControl { expected.formUnion(working.intersection([.caller])) }
        if risksPicture || isAsked { expected.formUnion(working.subtracting([.caller])) }
        return expected
    }

    /// What the disk keeps of it.
    func unconfirmed(_ pending: PendingConfirmation) -> SettingsRevision.Unconfirmed {
        SettingsRevision.Unconfirmed(
            returnTo: pending.returnTo.number,
            startsLeft: pending.awaitsRestart && !holdsChanges ? SettingsRevision.startsToProve : 0,
            expected: pending.watch.expected)
    }
}

extension SettingsRevision {
    /// The author of revisions that the box makes by itself.
    public static let ownAuthor = "touchline"
    /// The number of starts in which a change that needs a restart may prove itself. A second one is for a power cut in
    /// the first.
    static let startsToProve = 2
    /// The number of revisions that are kept.
    static let keptCount = 8

    /// The revisions that are kept of these: the newest, and the newest that is confirmed.
    /// - Parameter revisions: the newest first.
    static func kept(of revisions: [SettingsRevision]) -> [SettingsRevision] {
        let newest = revisions.prefix(keptCount)
        guard newest.allSatisfy({ $0.unconfirmed != nil }),
            let confirmed = revisions.dropFirst(keptCount).first(where: { $0.unconfirmed == nil })
        else { return Array(newest) }
        return newest + [confirmed]
    }
}
