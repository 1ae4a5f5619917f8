// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Discovery
import System
import Time

/// Searches for televisions on the link, and says which one is followed if the settings name none.
/// - Thread: the control loop's only.
final class TelevisionDiscovery {
    private let finder: TelevisionFinder
    private var choice = TelevisionChoice()
    private let report: (TelevisionFinder.Event) -> Void

    /// - Parameters:
    ///   - own: unique name of this box, which does not find itself.
    ///   - report: called after the choice was made.
    init(
        on interface: String, leavingOut own: String, loop: EventLoop,
        report: @escaping (TelevisionFinder.Event) -> Void
    ) throws(SystemCallError) {
        self.report = report
        let inbox = LateReport()
        finder = try TelevisionFinder(on: interface, loop: loop) { inbox.handle($0) }
        inbox.handle = { [weak self] event in
            switch event {
            case .found(let television), .lost(let television):
                if television.uniqueName != own { self?.handle(event) }
            }
        }
    }

    /// A handler that exists after the finder that calls it.
    private final class LateReport {
        var handle: (TelevisionFinder.Event) -> Void = { _ in }
    }

    /// In the order in which they would be followed. Televisions that do not synchronise are left out.
    var televisions: [Television] { choice.all }
    var chosen: Television? { choice.chosen }
    var problem: SystemCallError? { finder.problem }
    var counters: TelevisionFinderCounters { finder.counters }

    func start() { finder.start() }
    func stop() { finder.stop() }

    /// - Parameter fits: whether the television that is followed presents what is wanted.
    func look(fits: Bool, at now: Monotonic) { choice.looked(fits: fits, at: now) }

    private func handle(_ event: TelevisionFinder.Event) {
        switch event {
        case .found(let television): choice.found(television)
        case .lost(let television): choice.lost(television)
        }
        report(event)
    }
}
