// SPDX-License-Identifier: Apache-2.0
import Commands
import Enrolling
import Hosting
import JSON
import Journal
import Provisioning
import Shapes
import SignedEnvelopes
import Statistics
import System
import Time
import Venue

/// The feature that takes settings by signed orders (SVM-19): whoever brings one, the signature is its right.
/// An order counts once, for ever. `OrderAdmission` judges it, `SettingsStore` changes the settings.
public final class Push: Feature {
    public static let summary = """
        settings by signed orders, each taken once, and whose keys the box trusts: commands `push` and `push-status`, \
        settings `push`
        """

    /// What the product provides.
    public struct Sources {
        /// Directory of the file that outlives the settings.
        public var directory: String
        public var clock: () -> OrderClock
        /// What limits how often refusals are told; replaced by tests.
        package var monotonic: () -> Monotonic = { SystemClock.monotonic() }

        public init(directory: String, clock: @escaping () -> OrderClock) {
            self.directory = directory
            self.clock = clock
        }
    }

    public static var commands: [Handler<Push>] { [Handler(PushOrder.self), Handler(ShowPush.self)] }
    public static var events: [EventDescription] {
        [EventDescription(OrderAccepted.self), EventDescription(OrderRefused.self)]
    }
    public static var sections: [SectionDescription] { [SectionDescription(PushSettings.self)] }

    /// How much newer than the saved time a clock that is set has to be to be saved by itself: a file an hour.
    private static let savingInterval = Nanoseconds.seconds(3_600)

    /// How many refusals are logged and told as events. Anybody may give orders, and those that are refused must not push
    /// everything else out of the log.
    static let telling = RateLimit(atOnce: 32, perSecond: 1)

    let sources: Sources
    private let context: FeatureContext
    private let log: Log
    private let store: MemoryStore<OrderMemory>
    /// What the box trusts, for the other features.
    private let ring: KeyRing
    private(set) var admission: OrderAdmission
    /// Why there is no memory of orders; nil if there is one. Without one no order is taken.
    private(set) var memoryProblem: String?
    private var counters = OrderCounters()
    private var told = RateMeter()
    /// Whether an order is being written or applied, or the memory is being saved.
    private var isBusy = false
    private(set) var puller: OrderPuller?
    private(set) var last: LastOrder?
    private(set) var lastRefusal: LastRefusal?

    public init(_ context: FeatureContext) throws(Status) {
        self.context = context
        sources = context.provided(Sources.self)
        log = context.journal.log(for: "push")
        ring = context.provided(KeyRing.self)
        do {
            store = try MemoryStore(directory: sources.directory, loop: context.loop)
        } catch {
            throw .failure(.failed, "\(error)")
        }
        let running = context.settings.running
        let recipient = OrderRecipient(
            box: context.provided(BoxIdentity.self).id, group: running[PushSettings.self].group,
            tags: Set(running.settings.boxTags))
        admission = OrderAdmission(
            keys: running[PushSettings.self].keys.compactMap(\.orderKey), recipient: recipient, memory: OrderMemory())
        do {
            admission.memory = try store.read()
        } catch {
            memoryProblem = "\(store.path): \(error)"
        }
        context.settings.follow(PushSettings.self) { [weak self] settings in
            guard let self else { return }
            admission.keys = settings.keys.compactMap(\.orderKey)
            admission.recipient.group = settings.group
            puller?.follow(settings.pull)
            publish()
        }
        context.settings.follow(["box"]) { [weak self] new, _ in
            self?.admission.recipient.tags = Set(new.boxTags)
            self?.publish()
        }
        publish()
    }

    private func publish() { ring.publish(admission.keys, admission.recipient) }

    public func start() {
        let puller = OrderPuller(
            box: admission.recipient.box, credential: context.provided(BoxCredential.self), loop: context.loop,
            log: log,
            judge: { [weak self] octets, done in self?.judge(octets, done) },
            report: { [unowned self] in report })
        self.puller = puller
        puller.follow(context.settings.running[PushSettings.self].pull)
        context.statistics.attach(StatisticGroup("push", OrderCounters.statistics) { [weak self] in self?.counters })
        if let memoryProblem {
            log(.error, "no orders are taken", ["why": memoryProblem])
        } else {
            log(.debug, "orders remembered", ["highest": admission.memory.highest, "keys": admission.keys.count])
        }
    }

    public func tick(at now: Monotonic) {
        puller?.tick(at: now)
        forgetWhatWasTakenBack()
        guard !isBusy, memoryProblem == nil, !admission.keys.isEmpty else { return }
        let clock = sources.clock()
        let due = admission.memory.savedTime.nanoseconds &+ Self.savingInterval.count
        guard clock.isSet, clock.now.nanoseconds >= due else { return }
        save { [log] problem in
            if let problem { log(.error, "the time is not saved", ["why": problem]) }
        }
    }

    public func stop() {
        puller?.stop()
        store.stop()
    }

    // MARK: A server's orders

    /// How often the server answered that is asked for orders, since the start; nil if none is asked.
    public var serverAnswers: UInt64? { puller.flatMap { $0.hasServer ? $0.answers : nil } }

    /// Judges an order that a server sent.
    private func judge(_ octets: [UInt8], _ done: @escaping (SettingsReport.Judgement?) -> Void) {
        let reply = Reply<OrderReport> { [self] result in
            switch result {
            case .success: done(SettingsReport.Judgement())
            case .failure(let status): done(status.code == .busy ? nil : judgement)
            }
        }
        take({ (admission, clock) throws(OrderRefusal) in try admission.admit(octets, at: clock) }, reply)
    }

    /// Of the order that was refused last.
    private var judgement: SettingsReport.Judgement {
        var judgement = SettingsReport.Judgement()
        judgement.reason = lastRefusal?.reason.rawValue
        judgement.why = lastRefusal.map { String($0.why.prefix(2_048)) }
        return judgement
    }

    /// What the box tells its server.
    private var report: SettingsReport {
        let (settings, memory) = (context.settings.revision, admission.memory)
        var report = SettingsReport()
        report.box = admission.recipient.box
        report.name = context.settings.running.settings.boxName
        report.group = admission.recipient.group
        report.tags = admission.recipient.tags.sorted()
        report.version = Build.version
        report.highest = memory.highest
        report.order = memory.applied
        report.settings = Int64(settings.number)
        report.isConfirmed = settings.unconfirmed == nil
        report.isChanged = memory.settings.map { $0 != settings.number } ?? false
        report.judged = puller?.judged
        return report
    }

    /// An order that did not prove itself, or was lost by a factory reset, is in force no more, and none builds on it.
    private func forgetWhatWasTakenBack() {
        guard !isBusy, memoryProblem == nil, let settings = admission.memory.settings,
            context.settings.wasTakenBack(settings) || settings > context.settings.revision.number
        else { return }
        log(.warning, "order taken back", ["revision": admission.memory.applied ?? 0, "settings": settings])
        admission.memory.applied = nil
        admission.memory.settings = nil
        save { [log] problem in
            // The next start finds it out once more.
            if let problem { log(.error, "the order in force is not kept", ["why": problem]) }
        }
    }

    // MARK: Orders

    /// Takes or refuses an order. It is answered when the settings are in effect and on the disk.
    func take(_ envelope: JSONValue, _ reply: Reply<OrderReport>) {
        take({ (admission, clock) throws(OrderRefusal) in try admission.admit(envelope, at: clock) }, reply)
    }

    private func take(
        _ admit: (inout OrderAdmission, OrderClock) throws(OrderRefusal) -> OrderAdmission.Admitted,
        _ reply: Reply<OrderReport>
    ) {
        guard !isBusy else {
            return reply(.failure(.failure(.busy, "an order is being applied or written down; send this one again")))
        }
        if let memoryProblem { return refuse(.memory(memoryProblem), reply) }
        let before = admission.memory
        do throws(OrderRefusal) {
            let admitted = try admit(&admission, sources.clock())
            keep(admitted, before: before, reply)
        } catch {
            guard admission.memory != before else { return refuse(error, reply) }
            save { [self] problem in
                // The order is refused in any case; until the next start the memory is right without a disk, too.
                if let problem { log(.error, "the revision of an order is not kept", ["why": problem]) }
                refuse(error, reply)
            }
        }
    }

    /// Writes that the order was had before the settings get it: a box that ends in between takes no order twice, and
    /// does not believe that the order before is in force.
    private func keep(_ admitted: OrderAdmission.Admitted, before: OrderMemory, _ reply: Reply<OrderReport>) {
        admission.memory.applied = nil
        admission.memory.settings = nil
        save { [self] problem in
            if let problem {
                admission.memory = before
                return refuse(.memory(problem), reply)
            }
            apply(admitted, before: before, reply)
        }
    }

    /// The only place where an order meets the settings. It has to prove itself as any change, in its own time if it brings
    /// one; it is answered before.
    private func apply(_ admitted: OrderAdmission.Admitted, before: OrderMemory, _ reply: Reply<OrderReport>) {
        let edit: SettingsEdit =
            switch admitted.order.change {
            case .merge(let patch): .merge(patch)
            case .replace(let whole): .replace(whole)
            }
        isBusy = true
        let terms = SettingsTerms(
            author: "push \(admitted.key)", comment: admitted.order.comment ?? "",
            confirmWithin: admitted.order.confirmWithin.map { .seconds($0) })
        context.settings.change(edit, from: .push, terms) { [self] result in
            switch result {
            case .success(let outcome):
                admission.memory.applied = admitted.order.revision
                admission.memory.settings = outcome.revision
                save { [self] problem in
                    // The next order that builds on this one is refused then, and a replacement is not.
                    if let problem { log(.error, "the order in force is not kept", ["why": problem]) }
                    accept(admitted, outcome, reply)
                }
            case .failure(let failure):
                admission.memory.applied = before.applied
                admission.memory.settings = before.settings
                save { [self] problem in
                    if let problem { log(.error, "the order in force is not kept", ["why": problem]) }
                    refuse(.settings(failure.description), reply, code: failure.status.code)
                }
            }
        }
    }

    private func save(_ done: @escaping (String?) -> Void) {
        let clock = sources.clock()
        if clock.isSet { admission.memory.savedTime = max(admission.memory.savedTime, clock.now) }
        isBusy = true
        store.write(admission.memory) { [weak self] problem in
            self?.isBusy = false
            done(problem)
        }
    }

    private func accept(
        _ admitted: OrderAdmission.Admitted, _ outcome: SettingsOutcome, _ reply: Reply<OrderReport>
    ) {
        counters.accepted += 1
        let order = LastOrder(admitted, outcome)
        last = order
        log(.notice, "order accepted", ["revision": order.order, "key": order.key, "settings": outcome.revision])
        context.emit(OrderAccepted(order: order, paths: outcome.changes.map(\.path)))
        reply(.success(OrderReport(order: order, paths: outcome.changes.map(\.path))))
    }

    private func refuse(_ refusal: OrderRefusal, _ reply: Reply<OrderReport>, code: Status.Code = .failed) {
        counters.count(refusal.reason)
        lastRefusal = LastRefusal(reason: refusal.reason, why: "\(refusal)", time: sources.clock().now)
        tell(refusal)
        reply(.failure(.failure(code, "order refused (\(refusal.reason.rawValue)): \(refusal)")))
    }

    private func tell(_ refusal: OrderRefusal) {
        let now = sources.monotonic()
        guard told.admits(Self.telling, at: now) else { return }
        told.count(Self.telling, at: now)
        log(.warning, "order refused", ["reason": refusal.reason.rawValue, "why": refusal])
        context.emit(OrderRefused(reason: refusal.reason, why: "\(refusal)"))
    }
}
