// SPDX-License-Identifier: Apache-2.0
import Commands
import Hosting
import Journal
import Radio
import Radios
import Reporting
import Settings
import Shapes
import Statistics
import System
import Time
import Venue
import Wireless

/// The feature that knows how the radios and the wires of the box fare (SVM-17, 127, 130): access point, signal, rates,
/// losses and roams, what else is heard, and which access point lost how much of what was received.
public final class WiFi: Feature {
    public static let summary = """
        the radios and the wires of the box: access point, signal, rates, losses, roams, networks that are heard; the \
        commands `wifi`, `wifi-scan`, `wifi-losses`, `interfaces`
        """

    /// What the product provides.
    public struct Sources {
        public var open: (_ wake: @escaping @Sendable () -> Void) throws(SystemCallError) -> RadioFeed
        /// What the sessions have counted of their reception.
        public var sessions: () -> [SessionCounters]
        /// Has a radio scan, and answers when that has begun.
        public var scan: (_ interface: String, _ answer: @escaping (Result<Void, Status>) -> Void) -> Void

        public init(
            open: @escaping (@escaping @Sendable () -> Void) throws(SystemCallError) -> RadioFeed = RadioFeed.ofKernel,
            sessions: @escaping () -> [SessionCounters] = { [] },
            scan: @escaping (String, @escaping (Result<Void, Status>) -> Void) -> Void = { _, answer in
                answer(.failure(.failure(.failed, "nobody has the right to scan")))
            }
        ) {
            self.open = open
            self.sessions = sessions
            self.scan = scan
        }
    }

    public static var commands: [Handler<WiFi>] {
        [
            Handler(ShowWifi.self), Handler(ScanWifi.self), Handler(ShowWifiLosses.self), Handler(ShowInterfaces.self),
        ]
    }
    public static var events: [EventDescription] {
        [
            EventDescription(WifiConnected.self), EventDescription(WifiDisconnected.self),
            EventDescription(WifiRoamed.self), EventDescription(WifiChanged.self),
        ]
    }

    private let context: FeatureContext
    private let log: Log
    private let sources: Sources
    private let view: RadioView
    private let debug: NetworkDebugWindow
    private var feed: RadioFeed?
    private var waker: Waker?
    private var ledger = RadioLedger()
    private var accessPoints = AccessPointLedger()
    /// What the kernel counts of each interface but the loopback.
    public private(set) var links: [LinkFigures] = []
    /// When the radios were last looked at; nil before that.
    private(set) var observed: Monotonic?
    private var scans: [PendingScan] = []
    private var counters = Counters()
    /// Whether the kernel did not answer when it was asked last.
    private var isFailing = false
    private var groups: [StatisticGroup] = []
    // What the last report of the box told.
    private var radioReport: RadioReport?
    private var linkReport: LinkReport?

    /// What the watch itself has met.
    struct Counters {
        var observations = 0
        var events = 0
        var lost = 0
        var failures = 0
    }

    public init(_ context: FeatureContext) throws(Status) {
        self.context = context
        log = context.journal.log(for: "wifi")
        sources = context.provided(Sources.self)
        view = context.provided(RadioView.self)
        debug = context.provided(NetworkDebugWindow.self)
        context.settings.follow(["network"]) { [weak self] new, _ in self?.name(new.network.accessPoints) }
        name(context.settings.running.settings.network.accessPoints)
    }

    public func start() {
        groups = [
            StatisticGroup("wifi", each: RadioState.statistics) { [weak self] in
                (self?.ledger.interfaces ?? []).map { (["interface": $0.name], $0) }
            },
            StatisticGroup("wifiLoss", each: AccessPointFigures.statistics) { [weak self] in
                (self?.accessPoints.totals ?? []).map {
                    (["bssid": $0.bssid.description, "accessPoint": $0.name ?? ""], $0)
                }
            },
            StatisticGroup("interface", each: LinkFigures.statistics) { [weak self] in
                (self?.links ?? []).map { (["interface": $0.name], $0) }
            },
            StatisticGroup("wifiWatch", Counters.statistics) { [weak self] in self?.counters },
        ]
        for group in groups { context.statistics.attach(group) }
        report()
        do throws(SystemCallError) {
            let inbox = LateHandler()
            let waker = try context.loop.makeWaker { inbox.handler() }
            self.waker = waker
            inbox.handler = { [weak self] in self?.take() }
            feed = try sources.open { waker.wake() }
        } catch {
            log(.error, "radios and wires are not watched", ["error": error])
        }
    }

    public func tick(at now: Monotonic) { expireScans(at: now) }

    public func stop() {
        for group in groups { context.statistics.detach(group) }
        for name in ["wifi", "accessPoints", "interfaces"] { context.provided(ReportSections.self).remove(name) }
        feed?.stop()
        if let waker { context.loop.remove(waker) }
        (feed, waker) = (nil, nil)
    }

    /// Names of access points are those of the settings (SVM-17).
    private func name(_ points: [Settings.AccessPoint]) {
        var names: [HardwareAddress: String] = [:]
        for point in points {
            if let address = HardwareAddress(point.bssid) { names[address] = point.name }
        }
        ledger.names = names
    }

    var radios: [RadioState] { ledger.interfaces }
    var names: [HardwareAddress: String] { ledger.names }
    var losses: [AccessPointFigures] { accessPoints.totals }

    // MARK: The kernel's word

    private func take() {
        let now = SystemClock.monotonic()
        for report in feed?.takeReports() ?? [] {
            switch report {
            case .observed(let observation, let links): observed(observation, links, at: now)
            case .event(let event):
                counters.events += 1
                tell(ledger.told(event, at: now), at: now)
            case .lost: counters.lost += 1
            case .failed(let why):
                counters.failures += 1
                if !isFailing { log(.warning, "the kernel tells nothing of radios", ["why": why]) }
                isFailing = true
            }
        }
    }

    private func observed(_ observation: RadioObservation, _ links: [LinkFigures], at now: Monotonic) {
        counters.observations += 1
        isFailing = false
        observed = now
        self.links = links.filter { $0.name != "lo" }
        tell(ledger.observed(observation, at: now), at: now)
        let uplink = ledger.interfaces.first { $0.isAssociated }
        accessPoints.observed(uplink, sources.sessions(), at: now)
        view.publish(ledger.interfaces)
        log(
            .debug, "observed",
            [
                "radios": ledger.interfaces.count, "wires": self.links.count, "bssid": uplink?.bssid?.description ?? "",
                "signal": uplink?.signal ?? 0,
            ])
        for radio in ledger.interfaces { logWatched(radio, at: now) }
    }

    /// All that the driver tells of a connection to an access point that `network.debug.accessPoints` names (SVM-25). At
    /// notice, so that the lines of this one are there without those of all others.
    private func logWatched(_ radio: RadioState, at now: Monotonic) {
        guard let bssid = radio.bssid?.description, debug.isWatched(bssid, at: now) else { return }
        let figures = radio.figures
        func text<T>(_ value: T?) -> String { value.map { "\($0)" } ?? "" }
        log(
            .notice, "access point observed",
            [
                "interface": radio.name, "bssid": bssid, "name": radio.accessPoint ?? "", "signal": text(radio.signal),
                "noise": text(radio.noise), "busyPPM": text(radio.busyPPM), "score": text(radio.linkScore),
                "transmitKbps": text(figures?.transmitRate?.value.map { UInt64($0) * 100 }),
                "receiveKbps": text(figures?.receiveRate?.value.map { UInt64($0) * 100 }),
                "packets": text(figures?.packetsReceived), "dropped": text(figures?.drops),
                "retries": text(figures?.retries),
                "failed": text(figures?.failures), "beaconLosses": text(figures?.beaconLosses),
                "inactiveMs": text(figures?.inactive?.milliseconds),
            ])
    }

    private func tell(_ news: [RadioNews], at now: Monotonic) {
        for one in news {
            let name = one.interface ?? ""  // all radios
            switch one.kind {
            case .connected(let point):
                log(.notice, "connected", ["interface": name, "to": point.text])
                context.emit(WifiConnected(interface: one.interface, accessPoint: point))
            case .disconnected(let point, let reason, let side):
                log(
                    .warning, "disconnected",
                    ["interface": name, "from": point.text, "reason": reason?.description ?? "unknown"])
                context.emit(
                    WifiDisconnected(interface: one.interface, accessPoint: point, reason: reason, side: side))
            case .roamed(let left, let point):
                log(.notice, "roamed", ["interface": name, "from": left.text, "to": point.text])
                context.emit(WifiRoamed(interface: one.interface, left: left, accessPoint: point))
            case .scanFinished: finishScans(of: name)
            default:
                let change = WifiChanged(one)
                log(.info, "changed", ["interface": name, "what": change.what, "value": change.value ?? ""])
                context.emit(change)
            }
        }
    }

    // MARK: Reports

    private func report() {
        let sections = context.provided(ReportSections.self)
        sections.add("wifi") { [weak self] _ in
            guard let self, !radios.isEmpty else { return nil }
            let report = RadioReport(radios, before: radioReport)
            radioReport = report
            return report.json
        }
        sections.add("accessPoints") { [weak self] _ in
            guard let self, !radios.isEmpty else { return nil }
            return .array(accessPoints.take().map(\.json))
        }
        sections.add("interfaces") { [weak self] _ in
            guard let self else { return nil }
            let report = LinkReport(links, radios: Set(radios.map(\.name)), before: linkReport)
            linkReport = report
            return report.json
        }
    }

    // MARK: Scans

    private struct PendingScan {
        let interface: String
        let deadline: Monotonic
        let answer: () -> Void
    }

    /// How long the end of a scan is waited for; one of all channels may take longer. Clients wait ten seconds.
    private static let scanPatience = Nanoseconds.seconds(8)

    /// Has all clients among the radios scan, or one of them.
    /// - Parameter answer: called when its results are there.
    func scan(_ name: String?, _ answer: @escaping (Result<Void, Status>) -> Void) {
        guard let interface = name ?? ledger.interfaces.first(where: { $0.interface.mode == .station })?.name else {
            return answer(.failure(.failure(.failed, "the box has no radio that could scan")))
        }
        sources.scan(interface) { [weak self] result in
            switch result {
            case .failure(let status): answer(.failure(status))
            case .success:
                guard let self else { return }
                let deadline = SystemClock.monotonic() + Self.scanPatience
                scans.append(PendingScan(interface: interface, deadline: deadline) { answer(.success(())) })
            }
        }
    }

    private func finishScans(of interface: String) {
        let finished = scans.filter { $0.interface == interface }
        scans.removeAll { $0.interface == interface }
        guard !finished.isEmpty else { return }
        log(.debug, "scan finished", ["interface": interface])
        for scan in finished { scan.answer() }
    }

    /// A scan whose end was not told is answered with what is known.
    private func expireScans(at now: Monotonic) {
        let expired = scans.filter { $0.deadline <= now }
        scans.removeAll { $0.deadline <= now }
        for scan in expired { scan.answer() }
    }
}
