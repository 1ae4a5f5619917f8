// SPDX-License-Identifier: Apache-2.0
import Commands
import Diagnosing
import Display
import Hosting
import Journal
import LineUp
import Mixing
import Playback
import Presentation
import Radio
import Radios
import Reception
import Reporting
import Settings
import System
import Time
import Venue

/// The feature that says which link is the first broken one between the head-end and the screen. It gathers what the rest
/// of the box knows; `ChainDiagnosis` judges.
public final class Diagnosis: Feature {
    public static let summary = """
        which link is the first broken one between the head-end and the screen, and what to try; the command `diagnose`
        """

    /// What Diagnosis observes of the rest of the box. The product provides this value.
    public struct Sources {
        /// Looks at the machine. Called on a thread of its own, because it may wait for a disk.
        public var inspect: @Sendable () -> Evidence.Machine
        /// Directories that the service writes to.
        public var directories: [String]
        /// What the kernel counts of each interface.
        public var links: () -> [LinkFigures] = { [] }
        /// Whether at least one announcement group is joined, or none is configured.
        public var isListening: () -> Bool = { true }
        /// Why groups of announcements are not joined.
        public var joinFailures: () -> [String] = { [] }
        /// A router that does not answer at this moment; nil if all answer, or there is none.
        public var silentGateway: () -> String? = { nil }
        public var reception: (_ session: Int) -> ReceptionCounters? = { _ in nil }
        /// Two senders of a session's channel at the same time; nil if there is one.
        public var conflict: (_ session: Int) -> SenderConflict? = { _ in nil }
        public var playback: (_ session: Int) -> PlaybackCounters? = { _ in nil }
        public var region: (_ name: String) -> RegionCounters = { RegionCounters(name: $0) }
        /// nil if the output has no screen.
        public var screen: () -> ScreenStatus? = { nil }
        public var mixer: () -> MixerCounters = { MixerCounters() }
        /// Why there is no output of sound; nil if there is one.
        public var soundProblem: () -> String? = { nil }

        public init(directories: [String], inspect: @escaping @Sendable () -> Evidence.Machine) {
            self.directories = directories
            self.inspect = inspect
        }
    }

    public static var commands: [Handler<Diagnosis>] { [Handler(Diagnose.self)] }

    let sources: Sources
    let lineUp: LineUpView
    let health: HealthView
    let radio: RadioView
    let regions: RegionDirectory
    let sounds: RegionSounds
    private(set) var settings: Settings
    private let log: Log
    private let inspector: Inspector
    private(set) var counts = CountHistory()
    private(set) var failures = SessionFailures()
    /// Since when announcement groups are joined; nil while none is.
    private(set) var listening: Monotonic?
    /// Looks in a row at which a router did not answer, one a second.
    private(set) var silentLooks = 0
    /// Why the output last failed; nil if it has not, or shows the stage since then.
    private(set) var outputProblem: String?

    public init(_ context: FeatureContext) throws(Status) {
        sources = context.provided(Sources.self)
        lineUp = context.provided(LineUpView.self)
        health = context.provided(HealthView.self)
        radio = context.provided(RadioView.self)
        regions = context.provided(RegionDirectory.self)
        sounds = context.provided(RegionSounds.self)
        settings = context.provided(Settings.self)
        // The lines of what is diagnosed are those of the box's health.
        log = context.journal.log(for: "health")
        do {
            inspector = try Inspector(loop: context.loop, directories: sources.directories, inspect: sources.inspect)
        } catch {
            throw .failure(.failed, "\(error)")
        }
        regions.addConsumer(
            SessionConsumer(
                "diagnosis", started: { [weak self] in self?.failures.started($0, in: $1.name) },
                emitted: { [weak self] in self?.failures.emitted($0, in: $1.name) }))
        let sections = ["announcements", "license", "network", "output", "sound"]
        context.settings.follow(sections) { [weak self] new, old in
            guard let self else { return }
            settings = new
            if new.network != old.network || new.announcements != old.announcements { listening = nil }
        }
    }

    public func tick(at now: Monotonic) {
        counts.add(count(at: now))
        if !sources.isListening() { listening = nil } else if listening == nil { listening = now }
        silentLooks = sources.silentGateway() == nil ? 0 : silentLooks + 1
        if outputProblem != nil, sources.screen()?.connector != nil { outputProblem = nil }
    }

    public func stop() { inspector.stop() }

    /// To be called when the stage reports that its output does not show what it should.
    public func outputFailed(_ why: String) { outputProblem = why }

    /// - Parameter answer: called once, within some seconds, whatever the disk does.
    func diagnose(_ answer: @escaping (ChainDiagnosis) -> Void) {
        inspector.inspect { [weak self] machine in
            guard let self else { return }
            let diagnosis = ChainDiagnosis(evidence(machine, at: SystemClock.monotonic()))
            log(
                .debug, "diagnosed",
                ["blamed": diagnosis.blamed?.link.rawValue ?? "nothing", "sentence": diagnosis.sentence])
            answer(diagnosis)
        }
    }

    /// What is counted at this moment.
    func count(at now: Monotonic) -> CountHistory.Look {
        var look = CountHistory.Look(time: now)
        for region in regions.all {
            guard let session = region.player.current?.id else { continue }
            look.sessions[session] = CountHistory.Session(
                reception: sources.reception(session), playback: sources.playback(session),
                region: sources.region(region.name))
        }
        look.screen = sources.screen()?.counters
        look.mixer = sources.mixer()
        for link in sources.links() { look.links[link.name] = link.counters }
        return look
    }
}
