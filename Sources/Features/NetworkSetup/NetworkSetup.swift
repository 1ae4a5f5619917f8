// SPDX-License-Identifier: Apache-2.0
import Commands
import Hosting
import JSON
import Journal
import NetworkFiles
import NetworkHelper
import NetworkPlan
import Statistics
import System
import Time
import Venue

/// The feature that makes the box's own network what the settings say: address or DHCP, VLAN, WiFi, 802.1X, name and time
/// servers. It has no right to do so itself; a small helper does, which takes a plan and nothing else. A change has to
/// prove itself as any that may cost the picture, and the plan before it is applied again if it does not.
public final class NetworkSetup: Feature {
    public static let summary = """
        the box's own network by settings, through a helper that has the right to it: commands `network-status` and \
        `time`, settings `uplink`
        """

    /// What the product provides.
    public struct Sources {
        /// Path of the socket at which the helper is asked.
        public var helper: String
        /// The wires and radios of the box.
        public var devices: () -> [NetworkDevice]
        /// What the kernel says of its clock; nil where it must not be asked.
        public var clock: () -> SystemClock.State?

        public init(
            helper: String, devices: @escaping () -> [NetworkDevice],
            clock: @escaping () -> SystemClock.State?
        ) {
            self.helper = helper
            self.devices = devices
            self.clock = clock
        }

        /// Where systemd has the helper's socket.
        public static let usualHelper = "/run/touchline-network.sock"
    }

    public static var commands: [Handler<NetworkSetup>] { [Handler(ShowNetwork.self), Handler(ShowTime.self)] }
    public static var events: [EventDescription] { [EventDescription(NetworkApplied.self)] }
    public static var sections: [SectionDescription] { [SectionDescription(NetworkPlan.self)] }

    let sources: Sources
    let context: FeatureContext
    private let log: Log
    let client: HelperClient
    private var counters = SetupCounters()
    private var gateway = GatewayWatch()
    private(set) var timekeeping = Timekeeping()
    /// What the helper did last; nil before its first answer.
    private(set) var last: LastApplication?

    public init(_ context: FeatureContext) throws(Status) {
        self.context = context
        sources = context.provided(Sources.self)
        log = context.journal.log(for: "network")
        do {
            client = try HelperClient(path: sources.helper, loop: context.loop)
        } catch {
            throw .failure(.failed, "\(error)")
        }
        context.settings.attach([NetworkPlan.name]) {
            [unowned self, unowned store = context.settings] (next) throws(Status) in
            try prepare(next[NetworkPlan.self], from: store.running[NetworkPlan.self])
        }
    }

    /// Applies what the box started with. A revision that was not confirmed when the box ended is not that.
    public func start() {
        context.statistics.attach(StatisticGroup("uplink", SetupCounters.statistics) { [weak self] in self?.counters })
        let plan = context.settings.running[NetworkPlan.self]
        // Without a helper, as in a development tree, the network is somebody else's.
        guard !plan.saysNothing || client.isThere else { return }
        apply(plan, because: .start) { _ in }
    }

    public func tick(at now: Monotonic) {
        gateway.observe(at: now, isUrgent: context.settings.pending != nil)
        timekeeping.observe(sources.clock(), streamTells: streamTells, at: SystemClock.wall())
    }

    public func stop() { client.stop() }

    /// Whether the router answers, or none is wanted: the settings give addresses and no gateway.
    public var reachesGateway: Bool {
        if let answers = gateway.answers { return answers }
        let plan = context.settings.running[NetworkPlan.self]
        let interfaces = [(plan.wired.addresses, plan.wired.gateways), (plan.wifi.addresses, plan.wifi.gateways)]
        let given = interfaces.filter { !$0.0.isEmpty }
        return !given.isEmpty && given.allSatisfy { $0.1.isEmpty }
    }

    /// The router that does not answer; nil if one does, or there is none.
    public var silentGateway: String? { gateway.answers == false ? gateway.routes.first?.gateway.description : nil }

    var gateways: [DefaultRoutes.Route] { gateway.routes }

    private var streamTells: Bool { context.provided(DisplayedClock.self).time.source == .stream }

    // MARK: Applying

    /// A dry run: it changes nothing.
    private func prepare(_ new: NetworkPlan, from old: NetworkPlan) throws(Status) -> Preparation {
        guard client.isThere else {
            throw .failure(
                .configuration,
                "\(client.path) is not there; expected the network helper (touchline-network.socket), without which "
                    + "uplink cannot be changed")
        }
        do throws(NetworkFilesError) {
            _ = try NetworkFiles(new, devices: sources.devices())
        } catch {
            throw .failure(.configuration, "/uplink\(error)")
        }
        return Preparation(
            undo: { [weak self] in self?.apply(old, because: .takenBack) { _ in } },
            begin: { [weak self] end in self?.apply(new, because: .settings, end) })
    }

    private func apply(
        _ plan: NetworkPlan, because cause: NetworkApplied.Cause, _ end: @escaping (Status?) -> Void
    ) {
        client.ask(.apply(plan)) { [weak self] result in
            guard let self else { return end(.failure(.failed, "the service ends")) }
            let problem: Status?
            var changed: [String] = []
            switch result {
            case .success(let answer):
                counters.applied += 1
                problem = nil
                changed = answer["changed"]?.array?.compactMap(\.string) ?? []
                if !changed.isEmpty {
                    log(.notice, "network applied", ["cause": cause.rawValue, "files": changed.joined(separator: " ")])
                }
            case .failure(let status):
                counters.failed += 1
                problem = status
                log(.error, "network not applied", ["cause": cause.rawValue, "why": status.errorString])
            }
            last = LastApplication(time: SystemClock.wall(), cause: cause, problem: problem?.errorString)
            if problem != nil || !changed.isEmpty {
                context.emit(NetworkApplied(cause: cause, files: changed, problem: problem?.errorString ?? ""))
            }
            end(problem)
        }
    }
}

/// What the helper did last.
struct LastApplication {
    let time: WallTime
    let cause: NetworkApplied.Cause
    /// nil if it was done.
    let problem: String?
}

/// How often the network was applied.
struct SetupCounters {
    var applied = 0
    var failed = 0

    static let statistics: [Statistic<Self>] = [
        .counter("applied", \.applied, "times", "The network was made as the settings say."),
        .counter("failed", \.failed, "times", "The network could not be made as the settings say.", .fault),
    ]
}
