// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Discovery
import Hosting
import Journal
import Statistics
import System
import Time

/// Discovery both ways, as the settings want it: televisions are searched for, and the box is announced while it serves.
/// What fails is tried again.
/// - Thread: the control loop's only.
final class LinkDiscovery {
    /// How the box is to be found; nil while it is not.
    private struct Announcement: Hashable {
        let place: AnnouncedTelevision.Place
        let name: String
        let served: WebSocketURL
    }

    private let context: FeatureContext
    private let log: Log
    private let box: String
    private let changed: () -> Void
    /// Whether anything is done: not before the start and after the stop.
    private var isRunning = false
    private var settings = DiscoverySettings()
    private var search: TelevisionDiscovery?
    private var wanted: Announcement?
    private var announced: AnnouncedTelevision?
    /// The last failure of each, which is not logged again.
    private var problems: [String: String] = [:]

    /// - Parameter changed: called when another television is to be followed, or none any more.
    init(_ context: FeatureContext, _ log: Log, changed: @escaping () -> Void) {
        (self.context, self.log, self.changed) = (context, log, changed)
        box = context.provided(BoxIdentity.self).id
    }

    /// The television to follow if the settings name none; nil if none was found.
    var chosen: WebSocketURL? { search?.chosen?.services.contentInformation }

    /// nil unless televisions are searched for.
    /// - Parameter followed: URL of the one that is followed.
    func rows(followed: String?) -> [TelevisionRow]? {
        guard settings.searches, isRunning else { return nil }
        return (search?.televisions ?? []).map { television in
            TelevisionRow(television, isFollowed: television.services.contentInformation?.description == followed)
        }
    }

    func start() {
        isRunning = true
        context.statistics.attach(
            StatisticGroup("televisionSearch", TelevisionFinderCounters.statistics) { [weak self] in
                self?.search?.counters
            })
        context.statistics.attach(
            StatisticGroup("announcement", AnnouncedTelevisionCounters.statistics) { [weak self] in
                self?.announced?.counters
            })
    }

    func stop() {
        isRunning = false
        search?.stop()
        search = nil
        announced?.stop()
        announced = nil
    }

    /// - Parameter served: URL of CSS-CII at which the box is followed; nil while it is not.
    func apply(_ settings: SyncSettings, served: WebSocketURL?) {
        let new = settings.discovery
        if new.searches != self.settings.searches || new.interface != self.settings.interface {
            search?.stop()
            search = nil
        }
        self.settings = new
        let wanted = served.flatMap { announcement(settings, $0) }
        if wanted != self.wanted {
            announced?.stop()
            announced = nil
        }
        self.wanted = wanted
        open()
    }

    /// Once a second.
    /// - Parameter fits: whether the television that is followed presents what is wanted.
    func tick(fits: Bool, at now: Monotonic) {
        open()
        note("search", search?.problem)
        let before = chosen
        search?.look(fits: fits, at: now)
        if chosen != before { changed() }
    }

    private func open() {
        guard isRunning else { return }
        if settings.searches, search == nil {
            attempt("search") { () throws(SystemCallError) in try beginSearch() }
        }
        if let wanted, announced == nil {
            attempt("announcement") { () throws(SystemCallError) in try announce(wanted) }
        }
    }

    private func beginSearch() throws(SystemCallError) {
        let own = AnnouncedTelevision.uniqueName(of: description)
        let search = try TelevisionDiscovery(on: settings.interface, leavingOut: own, loop: context.loop) {
            [weak self] in self?.handle($0)
        }
        self.search = search
        log(.notice, "televisions are searched for", ["interface": settings.interface])
        search.start()
    }

    private func handle(_ event: TelevisionFinder.Event) {
        context.emit(TelevisionOnLink(event))
        switch event {
        case .found(let television): log(.info, "television found", ["name": television.name])
        case .lost(let television): log(.info, "television lost", ["name": television.name])
        }
        changed()
    }

    // MARK: Being found

    private func announcement(_ settings: SyncSettings, _ served: WebSocketURL) -> Announcement? {
        guard settings.discovery.isAnnounced, let address = settings.serve.addresses.first else { return nil }
        let discovery = settings.discovery
        return Announcement(
            place: .init(interface: discovery.interface, address: address, port: discovery.port),
            name: discovery.name, served: served)
    }

    private var description: DeviceDescription {
        DeviceDescription(
            friendlyName: settings.name.isEmpty ? "Touchline \(box.prefix(8))" : settings.name,
            manufacturer: "Touchline", modelName: "Touchline", uniqueDeviceName: "uuid:\(box)")
    }

    private func announce(_ wanted: Announcement) throws(SystemCallError) {
        let services = CompanionApplication(contentInformation: wanted.served)
        let announced = try AnnouncedTelevision(
            at: wanted.place, description, services, bootID: Int(SystemClock.wall().nanoseconds / 1_000_000_000),
            loop: context.loop)
        self.announced = announced
        log(.notice, "the box is announced", ["location": announced.location])
        announced.start()
    }

    // MARK: Failures

    private func attempt(_ what: String, _ body: () throws(SystemCallError) -> Void) {
        do throws(SystemCallError) {
            try body()
            note(what, nil)
        } catch {
            note(what, error)
        }
    }

    private func note(_ what: String, _ problem: SystemCallError?) {
        let text = problem.map { "\($0)" }
        guard text != problems[what] else { return }
        problems[what] = text
        if let text { log(.error, "discovery fails and is tried again", ["what": what, "error": text]) }
    }
}
