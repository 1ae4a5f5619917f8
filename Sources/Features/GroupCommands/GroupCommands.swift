// SPDX-License-Identifier: Apache-2.0
import Commands
import Hosting
import JSON
import Journal
import Provisioning
import Settings
import SignedEnvelopes
import Statistics
import System
import Time
import Venue

/// The feature that has a group of boxes do one thing at once (G-33): a signed command comes by multicast, in several copies,
/// or in a data channel. `CommandReception` judges it; its signature is its right, within the scope of its key.
public final class GroupCommands: Feature {
    public static let summary = """
        signed commands for a group of boxes by multicast, each carried out once: the command `group-commands`, settings \
        `groupCommands`
        """

    /// What the product provides.
    public struct Sources {
        public typealias Dispatch = (CommandRequest, @escaping (Result<JSONValue, Status>) -> Void) -> Void

        /// Directory of the file that outlives the settings.
        public var directory: String
        public var clock: () -> OrderClock
        public var catalogue: Catalogue
        /// Executes a command.
        public var dispatch: Dispatch
        /// Replaced by tests.
        package var monotonic: () -> Monotonic = { SystemClock.monotonic() }

        public init(
            directory: String, clock: @escaping () -> OrderClock, catalogue: Catalogue, dispatch: @escaping Dispatch
        ) {
            self.directory = directory
            self.clock = clock
            self.catalogue = catalogue
            self.dispatch = dispatch
        }
    }

    public static var commands: [Handler<GroupCommands>] { [Handler(ShowGroupCommands.self)] }
    public static var events: [EventDescription] {
        [EventDescription(GroupCommandActed.self), EventDescription(GroupCommandRefused.self)]
    }
    public static var sections: [SectionDescription] { [SectionDescription(GroupCommandSettings.self)] }

    /// How many refusals are logged and told as events: anybody in the network can cause them.
    static let telling = RateLimit(atOnce: 32, perSecond: 1)

    private let context: FeatureContext
    private let sources: Sources
    private let ring: KeyRing
    private let log: Log
    private let store: MemoryStore<SequenceMemory>
    private var reception: CommandReception
    /// Why there is no memory of sequences; nil if there is one. Without one no command is carried out.
    private let memoryProblem: String?
    /// What the settings name; and the interface for places that name none.
    private var places: [GroupCommandSettings.Listening]
    private var interface: String
    private var ports: [GroupCommandPort] = []
    private var restsBefore = 0
    private var counters = GroupCommandCounters()
    private var told = RateMeter()
    private var last: LastGroupCommand?
    private var lastRefusal: LastCommandRefusal?
    private var isRunning = false

    public init(_ context: FeatureContext) throws(Status) {
        self.context = context
        sources = context.provided(Sources.self)
        ring = context.provided(KeyRing.self)
        log = context.journal.log(for: "groups")
        do {
            store = try MemoryStore(directory: sources.directory, loop: context.loop)
        } catch {
            throw .failure(.failed, "\(error)")
        }
        var memory = SequenceMemory()
        var problem: String?
        do {
            memory = try store.read()
        } catch {
            problem = "\(store.path): \(error)"
        }
        memoryProblem = problem
        places = context.settings.running[GroupCommandSettings.self].listen
        interface = context.settings.running.settings.network.interface ?? ""
        reception = CommandReception(
            GroupCommandAdmission(
                keys: ring.keys, recipient: ring.recipient, memory: memory, catalogue: sources.catalogue))
        context.settings.follow(GroupCommandSettings.self) { [weak self] settings in
            self?.places = settings.listen
            self?.listen()
        }
        context.settings.follow(["network"]) { [weak self] settings, _ in
            self?.interface = settings.network.interface ?? ""
            self?.listen()
        }
    }

    public func start() {
        isRunning = true
        context.statistics.attach(
            StatisticGroup("groupCommands", GroupCommandCounters.statistics) { [weak self] in self?.figures })
        if let memoryProblem {
            log(.error, "no group commands are taken", ["why": memoryProblem])
        } else {
            log(.debug, "sequences remembered", ["keys": reception.admission.memory.rows.count])
        }
        listen()
    }

    public func tick(at now: Monotonic) {
        for port in ports {
            let before = port.problem
            port.refresh()
            if let problem = port.problem, before == nil { tell(problem, of: port) }
        }
    }

    public func stop() {
        isRunning = false
        for port in ports { port.close() }
        ports = []
        store.stop()
    }

    private var figures: GroupCommandCounters {
        var figures = counters
        figures.rests = ports.reduce(restsBefore) { $0 + $1.rests }
        return figures
    }

    var status: GroupCommandStatus {
        GroupCommandStatus(
            ports: ports.map { GroupCommandStatus.Port($0) }, isClockSet: sources.clock().isSet,
            sequences: reception.admission.memory.rows.map {
                GroupCommandStatus.Sequence(fingerprint: $0.fingerprint, highest: $0.highest)
            }, problem: memoryProblem, last: last, lastRefusal: lastRefusal)
    }

    // MARK: Ports

    /// Closes the ports that the settings name no longer, and opens the new ones.
    private func listen() {
        guard isRunning else { return }
        var kept: [GroupCommandPort] = []
        for place in places {
            let name = place.interface.isEmpty ? interface : place.interface
            if let port = ports.first(where: { $0.place == place && $0.interface == name }) {
                kept.append(port)
                continue
            }
            let port = GroupCommandPort(at: place, interface: interface, loop: context.loop) {
                [weak self] octets, source in
                self?.take(octets, from: source)
            }
            if let problem = port.problem { tell(problem, of: port) }
            kept.append(port)
        }
        for port in ports where !kept.contains(where: { $0 === port }) {
            restsBefore += port.rests
            port.close()
        }
        ports = kept
    }

    private func tell(_ problem: String, of port: GroupCommandPort) {
        log(
            .error, "no group commands are heard",
            ["address": port.place.address, "port": port.place.port, "why": problem])
    }

    // MARK: Commands

    /// Takes or refuses the text of an envelope.
    /// - Parameters:
    ///   - octets: nil if there are too many.
    ///   - source: the sender's address, or the data channel.
    /// - Returns: why it is not carried out; nil if it will be, or if it is a further copy.
    @discardableResult
    public func take(_ octets: [UInt8]?, from source: String) -> CommandRefusal? {
        let now = sources.monotonic()
        do throws(CommandRefusal) {
            guard let octets else {
                let limit = SignedCommand.mostEnvelopeOctets
                throw CommandRefusal.tooLong(.tooLong(octets: limit + 1, limit: limit))
            }
            if let memoryProblem { throw CommandRefusal.memory(memoryProblem) }
            reception.use(ring.keys, ring.recipient)
            if let actions = try reception.received(octets, from: source, at: sources.clock(), now) {
                perform(actions)
            } else {
                counters.copies += 1
            }
            return nil
        } catch {
            refuse(error, source, at: now)
            return error
        }
    }

    private func perform(_ actions: [CommandReception.Action]) {
        for action in actions {
            switch action {
            case .write(let memory):
                counters.writes += 1
                store.write(memory) { [weak self] problem in
                    guard let self else { return }
                    perform(reception.written(problem))
                }
            case .run(let admitted): schedule(admitted)
            case .refuse(let admitted, let refusal): refuse(refusal, admitted.source, at: sources.monotonic())
            }
        }
    }

    private func schedule(_ admitted: CommandReception.Admitted) {
        let wait = admitted.due - sources.monotonic()
        guard wait > .zero, admitted.command.actAt != nil else { return run(admitted) }
        _ = context.loop.after(wait) { [weak self] in self?.run(admitted) }
    }

    private func run(_ admitted: CommandReception.Admitted) {
        guard isRunning else { return }
        let sent = admitted.command.actAt ?? admitted.command.sent
        var request = admitted.request
        request.caller = Caller(.groupCommand, role: .operator, name: admitted.key)
        sources.dispatch(request) { [weak self] outcome in
            guard let self else { return }
            var problem: String?
            if case .failure(let status) = outcome { problem = status.errorString }
            let done = LastGroupCommand(
                command: admitted.request.command, arguments: admitted.request.arguments, key: admitted.key,
                sequence: admitted.command.sequence, source: admitted.source,
                delayMs: (sources.clock().now.nanoseconds - sent.nanoseconds) / 1_000_000, problem: problem)
            last = done
            counters.acted += problem == nil ? 1 : 0
            counters.failed += problem == nil ? 0 : 1
            if let problem {
                log(.warning, "group command failed", ["command": done.command, "key": done.key, "why": problem])
            } else {
                log(
                    .notice, "group command",
                    [
                        "command": done.command, "key": done.key, "sequence": done.sequence, "source": done.source,
                        "delayMs": done.delayMs,
                    ])
            }
            context.emit(GroupCommandActed(last: done))
        }
    }

    /// That others are addressed is usual: it is counted, and told nowhere.
    private func refuse(_ refusal: CommandRefusal, _ source: String, at now: Monotonic) {
        counters.count(refusal.reason)
        if case .otherTarget = refusal { return }
        let refused = LastCommandRefusal(
            reason: refusal.reason, why: "\(refusal)", source: source, time: sources.clock().now)
        lastRefusal = refused
        guard told.admits(Self.telling, at: now) else { return }
        told.count(Self.telling, at: now)
        log(.warning, "group command refused", ["reason": refusal.reason.rawValue, "why": refusal, "source": source])
        context.emit(GroupCommandRefused(last: refused))
    }
}
