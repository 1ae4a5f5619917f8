// SPDX-License-Identifier: Apache-2.0
import Commands
import Hosting
import Journal
import NetworkFiles
import Settings
import System
import Time
import Venue

/// The feature that shows the multicast groups of the box as its kernel has them, and follows their changes for a while if
/// `network.debug` says so (SVM-25).
public final class NetworkTrace: Feature {
    public static let summary = """
        the multicast groups of the box as the kernel has them, and what changed of them: the commands `igmp` and \
        `igmp-trace`, the settings `network.debug`
        """

    /// What the product provides.
    public struct Sources {
        /// The channels that are received by a group, by its address.
        public var channels: () -> [String: String]
        /// Directory of the kernel's tables, those of the network that the control loop's thread is in; replaced by tests.
        public var tables: String

        public init(channels: @escaping () -> [String: String], tables: String = "/proc/thread-self/net") {
            self.channels = channels
            self.tables = tables
        }
    }

    public static var commands: [Handler<NetworkTrace>] { [Handler(ShowGroups.self), Handler(ShowGroupTrace.self)] }
    public static var events: [EventDescription] { [EventDescription(NetworkDebugEnded.self)] }

    private let context: FeatureContext
    private let log: Log
    private let window: NetworkDebugWindow
    let sources: Sources
    private(set) var trace = MembershipTrace()

    public init(_ context: FeatureContext) throws(Status) {
        self.context = context
        log = context.journal.log(for: "network")
        sources = context.provided(Sources.self)
        window = context.provided(NetworkDebugWindow.self)
        context.settings.follow(["network"]) { [weak self] new, old in
            guard new.network.debug != old.network.debug else { return }
            self?.open(new.network.debug)
        }
    }

    public func start() { open(context.settings.running.settings.network.debug) }

    public func tick(at now: Monotonic) {
        if window.hasEnded(at: now) {
            log(.notice, "network debugging has ended")
            context.emit(NetworkDebugEnded())
        }
        guard window.tracesGroups(at: now) else { return }
        let table = table()
        for entry in trace.observe(table, queries: queries(of: table), at: SystemClock.wall()) {
            log(
                .notice, "multicast groups changed",
                ["what": entry.kind.rawValue, "interface": entry.interface, "group": entry.group ?? "all"])
        }
    }

    /// The trace begins anew, so that a change from before is not taken for one of now.
    private func open(_ debug: Settings.NetworkDebug) {
        window.open(debug, at: SystemClock.monotonic())
        trace = MembershipTrace()
        guard window.isOpen(at: SystemClock.monotonic()) else { return }
        log(
            .notice, "network debugging",
            [
                "groups": debug.tracesGroups, "accessPoints": debug.accessPoints.joined(separator: " "),
                "minutes": debug.minutes,
            ])
    }

    /// Seconds until the trace ends; nil if there is none.
    func tracedFor(at now: Monotonic) -> Int? {
        window.tracesGroups(at: now) ? window.rest(at: now).map { Int($0.seconds) } : nil
    }

    /// What the kernel has now. A table that a sandbox hides is an empty one.
    func table() -> [MembershipTable.Row] {
        MembershipTable(igmp: read("igmp")).rows + MembershipTable(igmp6: read("igmp6")).rows
    }

    /// Queries of MLD that were heard, by interface.
    func queries(of table: [MembershipTable.Row]) -> [String: UInt64] {
        var found: [String: UInt64] = [:]
        for interface in Set(table.map(\.interface)) where !interface.contains("/") {
            found[interface] = ListenerCounters(read("dev_snmp6/\(interface)"))?.queriesHeard
        }
        return found
    }

    private func read(_ name: String) -> [UInt8] {
        (try? DurableFile.read("\(sources.tables)/\(name)")) ?? []  // as said
    }
}
