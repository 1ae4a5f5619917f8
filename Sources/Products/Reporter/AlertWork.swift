// SPDX-License-Identifier: Apache-2.0
import Alerting
import Collecting
import JSON
import Journal
import Reports
import System
import Time

/// Looks at the newest states in the store again and again, keeps what the rules make of them, and has it told.
///
/// Of reporters that share a store one tells. What it opens or ends is on the disk with the messages about it before any of them
/// is sent, so that neither a kill nor another reporter that goes on loses one.
/// - Thread: that of the alerts only.
final class AlertWork {
    /// From one look at the store to the next.
    private static let period = Nanoseconds.seconds(2)
    /// Without a rule nothing is looked for.
    private static let idlePeriod = Nanoseconds.seconds(3_600)
    /// Boxes that are read at a time.
    private static let portion = 500
    /// A state that arrived before another one may be committed after it, by so much at most; also clocks of reporters differ.
    private static let overlapMs: Int64 = 10_000
    /// Messages that may wait.
    private static let mostMessages = 10_000
    private static let keptDays: Int64 = 90

    private let store: ReportStore
    private let configuration: AlertConfiguration
    private let shared: AlertDesk.Shared
    private let isHearing: () -> Bool
    private let log = Journal().log(for: "alerts")
    private var telling: AlertTelling
    private var keeper: AlertKeeper?
    /// Number of the time for which this reporter tells, with what it knows; nil while another one does.
    private var term: (number: Int64, alerting: Alerting)?
    private var versions: [String: BoxCondition.Version] = [:]
    private var newest: Int64 = 0
    private var isLoaded = false
    /// What the store has not taken yet.
    private var unkept: [Alerting.Change] = []
    private var lookDue = Monotonic(nanoseconds: 0)
    private var forgetDue = Monotonic(nanoseconds: 0)
    private var isTroubled = false

    init(
        _ store: ReportStore, _ configuration: AlertConfiguration, _ shared: AlertDesk.Shared,
        isHearing: @escaping () -> Bool
    ) {
        self.store = store
        self.configuration = configuration
        self.shared = shared
        self.isHearing = isHearing
        telling = AlertTelling(configuration, shared)
    }

    func stop() { telling.stop() }

    /// - Returns: when the next turn is due, unless there is a signal before.
    func turn() -> Monotonic {
        let now = SystemClock.monotonic()
        do throws(StoreError) {
            let keeper = if let keeper { keeper } else { try store.openKeeper() }
            self.keeper = keeper
            if now >= lookDue {
                lookDue = now + (configuration.rules.isEmpty ? Self.idlePeriod : Self.period)
                try look(keeper, now)
            }
            isTroubled = false
            guard term != nil else { return lookDue }
            return min(lookDue, try telling.turn(keeper, now))
        } catch {
            keeper = nil
            term = nil
            lookDue = now + Self.period
            shared.count { ($0.failedLooks, $0.isTelling) = ($0.failedLooks + 1, 0) }
            if !isTroubled { log(.warning, "the store does not say how boxes are", ["why": error.description]) }
            isTroubled = true
            return lookDue
        }
    }

    // MARK: Looking

    private func look(_ keeper: AlertKeeper, _ now: Monotonic) throws(StoreError) {
        guard let number = try keeper.lead() else {
            term = nil
            shared.count { $0.isTelling = 0 }
            return
        }
        if term?.number != number { try begin(number, keeper) }
        guard var alerting = term?.alerting else { return }
        try read(keeper, into: &alerting, now)
        isLoaded = true
        unkept += alerting.step(isHearing: isHearing(), now: now, wall: SystemClock.wall())
        term?.alerting = alerting
        try keep(keeper)
        let (open, leftOut) = (alerting.open.count, alerting.leftOut)
        shared.count { ($0.open, $0.leftOut, $0.isTelling) = (open, leftOut, 1) }
        if now >= forgetDue {
            forgetDue = now + Self.idlePeriod
            let kept = Nanoseconds.seconds(Self.keptDays * 86_400)
            try keeper.forget(WallTime(nanoseconds: SystemClock.wall().nanoseconds - kept.count))
        }
    }

    private func begin(_ number: Int64, _ keeper: AlertKeeper) throws(StoreError) {
        // What is kept was ours, so that what cannot be read is of a later version; it stays as it is.
        let open = try keeper.open().compactMap { try? Alert(parsing: Array($0.utf8)) }
        term = (number, Alerting(configuration.rules, configuration.limits, open: open))
        (versions, newest, isLoaded, unkept) = ([:], 0, false, [])
        telling.restart()
        log(.notice, "watching boxes", ["rules": configuration.rules.count, "open": open.count])
    }

    private func read(
        _ keeper: AlertKeeper, into alerting: inout Alerting, _ now: Monotonic
    ) throws(StoreError) {
        guard !configuration.rules.isEmpty else { return }
        // A clock that was set back makes what arrives seem older than what is known.
        let until = min(newest, SystemClock.wall().nanoseconds / 1_000_000)
        var place = LatestPlace(arrived: isLoaded ? until - Self.overlapMs : .min, sender: .min)
        while true {
            let states = try keeper.states(place, Self.portion)
            for (at, state) in states {
                place = at
                newest = max(newest, at.arrived)
                let version = BoxCondition.Version(boot: state.source.boot, sequence: state.sequence)
                guard versions[state.source.box] != version else { continue }
                versions[state.source.box] = version
                // It has been JSON when it was kept.
                let report = (try? JSONValue.parse(state.text ?? "")) ?? .null
                alerting.observe(
                    BoxCondition(box: state.source.box, version: version, arrived: state.arrived, report: report),
                    isNew: isLoaded, now: now)
            }
            guard states.count == Self.portion else { return }
        }
    }

    // MARK: Keeping

    private func keep(_ keeper: AlertKeeper) throws(StoreError) {
        guard !unkept.isEmpty else { return }
        let alerts = unkept.map { change in
            KeptAlert(
                id: change.alert.id, ended: change.alert.until,
                text: String(decoding: change.alert.octets, as: UTF8.self))
        }
        let messages = unkept.filter { $0.event != .changed }.flatMap { change in
            telling.targets.map { target in
                AlertMessage(target: target.rawValue, text: String(decoding: change.alert.octets, as: UTF8.self))
            }
        }
        let dropped = try keeper.keep(alerts, messages, Self.mostMessages)
        for change in unkept { tell(change) }
        let (opened, ended) = (unkept.count { $0.event == .opened }, unkept.count { $0.event == .ended })
        shared.count { counters in
            counters.opened += UInt64(opened)
            counters.ended += UInt64(ended)
            counters.givenUp += UInt64(dropped)
        }
        unkept = []
        telling.hasMore()
    }

    private func tell(_ change: Alerting.Change) {
        let alert = change.alert
        switch change.event {
        case .opened:
            log(
                .warning, "alert opened",
                ["id": alert.id, "rule": alert.rule, "box": alert.box ?? "", "boxes": alert.boxes, "text": alert.text])
        case .ended: log(.notice, "alert ended", ["id": alert.id, "rule": alert.rule, "box": alert.box ?? ""])
        case .changed: log(.debug, "alert is about more boxes", ["id": alert.id, "boxes": alert.boxes])
        }
    }
}
