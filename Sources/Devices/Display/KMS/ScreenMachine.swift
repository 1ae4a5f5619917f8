// SPDX-License-Identifier: Apache-2.0
import Scene
import Time

/// Decides what to do next so that a screen shows the stage, whatever happens to its display, cable and card.
///
/// A mode is tested before it is set, and a modeset is awaited while other work goes on. If it is refused or lost, the
/// next candidate follows. A refused flip is repeated once; if it is refused again, its mode is set again; after that
/// the next candidate is tried. After a lost flip the mode is set again at once. While nothing is shown, all candidates
/// are tried again without end. While one is shown, better ones are tried again later, but not those whose modeset was
/// lost twice: they wait until a display is plugged in.
struct ScreenMachine: Sendable {
    /// A flip takes one frame; one that takes longer than this counts as lost.
    static let flipTimeout = Nanoseconds.milliseconds(200)
    /// A modeset that takes longer counts as lost. A television takes half a second, link training two.
    static let modesetTimeout = Nanoseconds.seconds(3)
    /// A card that is busy for longer counts as broken, because the kernel gives up its own waits after 10 s.
    static let busyTimeout = Nanoseconds.seconds(12)
    /// Pause before a refused flip is repeated or a busy card is asked again.
    static let refusalPause = Nanoseconds.milliseconds(20)
    /// Pause before a card that has refused all candidates is asked again.
    static let retryPause = Nanoseconds.milliseconds(500)
    /// Time between two polls of the connectors, for kernels that do not announce changes. Displays are probed only
    /// while there is no picture.
    static let pollInterval = Nanoseconds.seconds(2)

    private(set) var counters = ScreenCounters()
    private(set) var state = State.dark
    /// The connector that is driven or about to be; nil if there is none.
    private(set) var connector: KMSConnector?
    private var connectors: [KMSConnector] = []
    private var planes: [KMSPlane] = []
    private let onlyConnector: String?
    private(set) var candidates: ModeCandidates
    /// The mode that shows the stage. It stays while the same mode is set again.
    private(set) var shownTiming: KMSTiming?
    // Inputs that came during a modeset; they are handled after it.
    private var hasMissedHotplug = false
    private var hasMissedRequest = false
    private(set) var nextPoll: Monotonic
    private(set) var upgrade = UpgradeTimer()
    private var troubleSince: Monotonic?

    /// - Parameter connector: the only one to use, by the kernel's name; nil for any.
    init(_ request: ModeRequest, connector: String? = nil, now: Monotonic) {
        candidates = ModeCandidates(request)
        onlyConnector = connector
        nextPoll = now + Self.pollInterval
    }

    mutating func handle(_ input: Input, now: Monotonic) -> Action {
        switch input {
        case .connectorsRead(let found, let planes, let isHotplug):
            if isHotplug { counters.hotplugs += 1 }
            (connectors, self.planes) = (found, planes)
            return choose(isHotplug: isHotplug, now)
        case .contentChanged(let rate):
            guard rate != candidates.request.content else { return .rest }
            candidates.request.content = rate
            if isBeingSet {
                hasMissedRequest = true
                return .rest
            }
            return chooseMode(now)
        case .pictureMade:
            if case .flipPending = state { counters.picturesSkipped += 1 }
            guard case .shown(let candidate) = state else { return pass(now) }
            state = .flipping(candidate, isSecondTime: false)
            return .flip
        case .due: return pass(now)
        case .accepted: return accepted(now)
        case .begun:
            if case .flipping(let candidate, _) = state {
                state = .flipPending(candidate, until: now + Self.flipTimeout)
            }
            if case .setting(let candidate, _) = state {
                (state, hasMissedHotplug) = (.awaiting(candidate, until: now + Self.modesetTimeout), false)
                candidates.keepNone()
            }
            return .rest
        case .busy: return busy(now)
        case .cameLate:
            switch state {
            case .busy, .stuck: return candidates.lost.map { hasBeenSet($0, now) } ?? .rest
            default: return .rest
            }
        case .refused: return refused(now)
        case .videoRefused:
            if case .flipping(let candidate, _) = state { state = .shown(candidate) }
            return .rest
        case .flipLost:
            guard case .flipping(let candidate, _) = state else { return .rest }
            return flipLost(candidate, now)
        case .cardLost:
            counters.cardsLost += 1
            (connector, connectors, planes, state, shownTiming) = (nil, [], [], .dark, nil)
            noteTrouble(now)
            nextPoll = now + Self.pollInterval
            return .poll(probes: true)
        }
    }

    // MARK: Screens

    /// Chooses a connector after the connectors have changed or may have.
    private mutating func choose(isHotplug: Bool, _ now: Monotonic) -> Action {
        let old = connector
        connector = chosen
        guard let connector else {
            (state, shownTiming) = (.dark, nil)
            nextPoll = now + Self.pollInterval
            troubleSince = nil  // the time without a display does not count as recovery
            return old == nil ? .rest : .release
        }
        guard let old, old.isSameScreen(as: connector) else {
            noteTrouble(now)
            shownTiming = nil
            candidates.forgetLosses()
            makeCandidates()
            return begin(keeping: nil, now)
        }
        switch state {
        case .awaiting where isHotplug, .busy where isHotplug, .flipPending where isHotplug || connector.isLinkBad:
            hasMissedHotplug = true
            return .rest
        case .shown(let candidate), .flipRefused(let candidate, _):
            // A display that was off in between needs its mode set again; if it was not, that does no harm.
            guard isHotplug || connector.isLinkBad else { return .rest }
            if isHotplug { candidates.forgetLosses() }
            noteTrouble(now)
            return set(candidate, now)
        case .stuck where isHotplug:
            candidates.forgetLosses()
            return begin(keeping: nil, now)
        default: return .rest
        }
    }

    /// Chooses a mode after the request has changed. The current mode stays until the card accepts a better one.
    private mutating func chooseMode(_ now: Monotonic) -> Action {
        guard connector != nil else { return .rest }
        let timing = timing
        makeCandidates(with: timing)
        let place = timing.flatMap { candidates.timings.firstIndex(of: $0) }
        guard place != 0 else {
            if case .flipRefused(_, let again) = state {
                state = .flipRefused(0, again: again)
            } else {
                state = .shown(0)
            }
            upgrade.cancel()
            return .rest
        }
        return begin(keeping: place, now)
    }

    /// The current connector if it is still usable, otherwise the first usable one; nil if there is none.
    private var chosen: KMSConnector? {
        let usable = connectors.filter { found in
            found.isConnected && !found.timings.isEmpty && found.crtcAndPlane(among: planes) != nil
                && (onlyConnector == nil || found.name == onlyConnector)
        }
        return usable.first { $0.id == connector?.id } ?? usable.first
    }

    // MARK: Modes

    /// - Parameter shown: a mode that must be among the candidates.
    private mutating func makeCandidates(with shown: KMSTiming? = nil) {
        candidates.renew(for: connector, with: shown)
        if connector != nil { hasMissedRequest = false }
    }

    private mutating func begin(keeping candidate: Int?, _ now: Monotonic) -> Action {
        candidates.begin(keeping: candidate)
        upgrade.cancel()
        return next(now)
    }

    /// Tests the first candidate that has not been tried.
    private mutating func next(_ now: Monotonic) -> Action {
        guard let candidate = candidates.next else { return getStuck(now) }
        if candidate == candidates.kept {
            state = .shown(candidate)
            scheduleUpgrade(from: candidate, now)
            return .rest
        }
        guard let pipeline = pipeline(to: candidate) else { return getStuck(now) }
        state = .testing(candidate)
        return .test(pipeline)
    }

    private mutating func getStuck(_ now: Monotonic) -> Action {
        (state, shownTiming) = (.stuck(again: now + Self.retryPause), nil)
        return pass(now)
    }

    private mutating func set(_ candidate: Int, _ now: Monotonic) -> Action {
        guard let pipeline = pipeline(to: candidate) else { return getStuck(now) }
        if case .testing = state {} else { candidates.begin(keeping: nil) }
        state = .setting(candidate, busyUntil: nil)
        return .drive(pipeline)
    }

    private var isBeingSet: Bool {
        switch state {
        case .awaiting, .busy, .flipPending: true
        default: false
        }
    }

    private func pipeline(to candidate: Int) -> DisplayPipeline? {
        guard let connector, let pair = connector.crtcAndPlane(among: planes) else { return nil }
        let others = connectors.filter { $0.id != connector.id && $0.crtc == pair.crtc }
        return DisplayPipeline(
            plane: pair.plane, crtc: pair.crtc, connector: connector.id, timing: candidates[candidate],
            others: others.map(\.id))
    }

    private mutating func scheduleUpgrade(from candidate: Int, _ now: Monotonic) {
        if candidates.hasBetter(than: candidate) { upgrade.schedule(now) } else { upgrade.reset() }
    }

    // MARK: Outcomes

    private mutating func accepted(_ now: Monotonic) -> Action {
        switch state {
        case .testing(let candidate): return set(candidate, now)
        case .setting(let candidate, _), .awaiting(let candidate, _): return hasBeenSet(candidate, now)
        case .flipping(let candidate, _), .flipPending(let candidate, _):
            counters.flips += 1
            state = .shown(candidate)
            noteRecovery(now)
            return catchUp(candidate, now)
        case .dark, .busy, .shown, .flipRefused, .stuck: break
        }
        return .rest
    }

    private mutating func hasBeenSet(_ candidate: Int, _ now: Monotonic) -> Action {
        counters.modesets += 1
        candidates.show(candidate)
        (state, shownTiming) = (.shown(candidate), candidates[candidate])
        scheduleUpgrade(from: candidate, now)
        noteRecovery(now)
        return catchUp(candidate, now)
    }

    private mutating func catchUp(_ candidate: Int, _ now: Monotonic) -> Action {
        if hasMissedHotplug { return set(candidate, now) }
        return hasMissedRequest ? chooseMode(now) : .rest
    }

    private mutating func flipLost(_ candidate: Int, _ now: Monotonic) -> Action {
        counters.flipsLost += 1
        noteTrouble(now - Self.flipTimeout)
        return set(candidate, now)
    }

    private mutating func busy(_ now: Monotonic) -> Action {
        guard case .setting(let candidate, let busyUntil) = state, busyUntil.map({ now < $0 }) ?? true else {
            return refused(now)
        }
        if busyUntil == nil {
            counters.commitsRefused += 1
            noteTrouble(now)
        }
        state = .busy(candidate, again: now + Self.refusalPause, until: busyUntil ?? now + Self.busyTimeout)
        return .rest
    }

    private mutating func refused(_ now: Monotonic) -> Action {
        switch state {
        case .testing(let candidate):
            candidates.reject(candidate)
            return next(now)
        case .setting(let candidate, _), .awaiting(let candidate, _):
            counters.commitsRefused += 1
            noteTrouble(now)
            candidates.reject(candidate)
            return next(now)
        case .flipping(let candidate, let isSecondTime):
            counters.commitsRefused += 1
            noteTrouble(now)
            if isSecondTime { return set(candidate, now) }
            state = .flipRefused(candidate, again: now + Self.refusalPause)
        case .dark, .busy, .shown, .flipPending, .flipRefused, .stuck: break
        }
        return .rest
    }

    private mutating func pass(_ now: Monotonic) -> Action {
        switch state {
        case .flipRefused(let candidate, let again) where again <= now:
            state = .flipping(candidate, isSecondTime: true)
            return .flip
        case .awaiting(let candidate, let until) where until <= now:
            counters.modesetsLost += 1
            noteTrouble(now - Self.modesetTimeout)
            candidates.lose(candidate)
            shownTiming = nil
            return next(now)
        case .flipPending(let candidate, let until) where until <= now: return flipLost(candidate, now)
        case .busy(let candidate, let again, let until) where again <= now:
            guard let pipeline = pipeline(to: candidate) else { return getStuck(now) }
            state = .setting(candidate, busyUntil: until)
            return .drive(pipeline)
        case .stuck(let again) where again <= now: return begin(keeping: nil, now)
        case .shown(let candidate):
            if let due = upgrade.next, due <= now { return begin(keeping: candidate, now) }
            return pollIfDue(now, probes: false)
        case .dark, .stuck: return pollIfDue(now, probes: true)
        case .testing, .setting, .awaiting, .busy, .flipping, .flipPending, .flipRefused: return .rest
        }
    }

    private mutating func pollIfDue(_ now: Monotonic, probes: Bool) -> Action {
        guard nextPoll <= now else { return .rest }
        nextPoll = now + Self.pollInterval
        return .poll(probes: probes)
    }

    private mutating func noteTrouble(_ now: Monotonic) { troubleSince = troubleSince ?? now }

    private mutating func noteRecovery(_ now: Monotonic) {
        guard let since = troubleSince else { return }
        counters.recovered(after: now - since)
        troubleSince = nil
    }
}
