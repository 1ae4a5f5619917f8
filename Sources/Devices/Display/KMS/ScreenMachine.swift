// SPDX-License-Identifier: Apache-2.0
import Scene
import Time

/// What is done next so that a screen shows the stage, whatever its display, its cable and its card do.
///
/// A mode is tested before it is set, and setting it is awaited while others go on; one that is refused or gets lost is
/// followed by the next of the ladder. A flip that is refused is made again, then its mode is set again, then the next is
/// taken; one that gets lost has its mode set again at once. Where nothing is shown, everything is tried again, without
/// end.
struct ScreenMachine: Sendable {
    /// A flip takes a frame; one that takes longer has been lost.
    static let flipTimeout = Nanoseconds.milliseconds(200)
    /// A mode that takes longer to be set has been lost; a television takes half a second, links are trained in two.
    static let modesetTimeout = Nanoseconds.seconds(3)
    /// A card that does nothing for longer than the 10 s after which the kernel gives up what it waits for is broken.
    static let busyTimeout = Nanoseconds.seconds(12)
    /// Before a refused flip is made again, or a card asked that is busy.
    static let refusalPause = Nanoseconds.milliseconds(20)
    /// Before a card that has refused everything is asked again.
    static let retryPause = Nanoseconds.milliseconds(500)
    /// Between two looks at the connectors, for a kernel that does not tell. Displays are asked while there is no picture.
    static let pollInterval = Nanoseconds.seconds(2)
    /// Before a better mode than the one that was accepted is tried again; doubled each time, up to the longest.
    static let upgradeInterval = Nanoseconds.seconds(30)
    static let longestUpgradeInterval = Nanoseconds.seconds(900)
    /// Rungs of a ladder, at most.
    static let mostCandidates = 8

    private(set) var counters = ScreenCounters()
    private(set) var state = State.dark
    /// The one that is driven, or is to be.
    private(set) var connector: KMSConnector?
    private var connectors: [KMSConnector] = []
    private var planes: [KMSPlane] = []
    private(set) var request: ModeRequest
    private let onlyConnector: String?
    private(set) var candidates: [KMSTiming] = []
    private var tried: Set<Int> = []
    /// The rung that is on while others are tested.
    private var kept: Int?
    /// What the screen shows the stage in; stays while the same is set again.
    private(set) var shownTiming: KMSTiming?
    /// The one whose setting was given up last.
    private var lost: Int?
    // What was heard while a mode was set, and is seen to afterwards.
    private var hasMissedHotplug = false
    private var hasMissedRequest = false
    private(set) var nextPoll: Monotonic
    private(set) var nextUpgrade: Monotonic?
    private var upgradeInterval = upgradeInterval
    private var troubleSince: Monotonic?

    /// - Parameter connector: the only one to be used, by the kernel's name.
    init(_ request: ModeRequest, connector: String? = nil, now: Monotonic) {
        self.request = request
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
            guard rate != request.content else { return .rest }
            request.content = rate
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
                (state, kept, hasMissedHotplug) = (.awaiting(candidate, until: now + Self.modesetTimeout), nil, false)
            }
            return .rest
        case .busy: return busy(now)
        case .cameLate:
            switch state {
            case .busy, .stuck: return lost.map { hasBeenSet($0, now) } ?? .rest
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

    /// What was read has changed, or may have.
    private mutating func choose(isHotplug: Bool, _ now: Monotonic) -> Action {
        let old = connector
        connector = chosen
        guard let connector else {
            (state, shownTiming) = (.dark, nil)
            nextPoll = now + Self.pollInterval
            troubleSince = nil  // what nobody could see is not counted
            return old == nil ? .rest : .release
        }
        guard let old, old.isSameScreen(as: connector) else {
            noteTrouble(now)
            shownTiming = nil
            makeCandidates()
            return begin(keeping: nil, now)
        }
        switch state {
        case .awaiting where isHotplug, .busy where isHotplug, .flipPending where isHotplug || connector.isLinkBad:
            hasMissedHotplug = true
            return .rest
        case .shown(let candidate), .flipRefused(let candidate, _):
            // A display that was off in between needs its mode anew, and to a card that has told it costs nothing.
            guard isHotplug || connector.isLinkBad else { return .rest }
            noteTrouble(now)
            return set(candidate, now)
        case .stuck where isHotplug: return begin(keeping: nil, now)
        default: return .rest
        }
    }

    /// By another wish. What is on stays on until something better is accepted.
    private mutating func chooseMode(_ now: Monotonic) -> Action {
        guard connector != nil else { return .rest }
        let timing = timing
        makeCandidates(with: timing)
        let place = timing.flatMap { candidates.firstIndex(of: $0) }
        guard place != 0 else {
            if case .flipRefused(_, let again) = state {
                state = .flipRefused(0, again: again)
            } else {
                state = .shown(0)
            }
            nextUpgrade = nil
            return .rest
        }
        return begin(keeping: place, now)
    }

    /// The one that is driven, if it still can be; else the first.
    private var chosen: KMSConnector? {
        let usable = connectors.filter { found in
            found.isConnected && !found.timings.isEmpty && found.crtcAndPlane(among: planes) != nil
                && (onlyConnector == nil || found.name == onlyConnector)
        }
        return usable.first { $0.id == connector?.id } ?? usable.first
    }

    // MARK: Modes

    /// The best of the ladder, the display's own and its smallest.
    /// - Parameter shown: is one of them as well.
    private mutating func makeCandidates(with shown: KMSTiming? = nil) {
        guard let connector else {
            candidates = []
            return
        }
        (candidates, lost, hasMissedRequest) = (
            connector.candidates(for: request, with: shown, atMost: Self.mostCandidates), nil, false
        )
    }

    private mutating func begin(keeping candidate: Int?, _ now: Monotonic) -> Action {
        tried = []
        kept = candidate
        nextUpgrade = nil
        return next(now)
    }

    /// The first rung that was not tried yet.
    private mutating func next(_ now: Monotonic) -> Action {
        guard let candidate = candidates.indices.first(where: { !tried.contains($0) }) else {
            return getStuck(now)
        }
        if candidate == kept {
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
        if case .testing = state {} else { (tried, kept) = ([], nil) }
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
        guard candidate > 0 else {
            nextUpgrade = nil
            upgradeInterval = Self.upgradeInterval
            return
        }
        nextUpgrade = now + upgradeInterval
        upgradeInterval = min(upgradeInterval * 2, Self.longestUpgradeInterval)
    }

    // MARK: What came of it

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
        (state, lost, shownTiming) = (.shown(candidate), nil, candidates[candidate])
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
            tried.insert(candidate)
            return next(now)
        case .setting(let candidate, _), .awaiting(let candidate, _):
            counters.commitsRefused += 1
            noteTrouble(now)
            tried.insert(candidate)
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
            tried.insert(candidate)
            (lost, shownTiming) = (candidate, nil)
            return next(now)
        case .flipPending(let candidate, let until) where until <= now: return flipLost(candidate, now)
        case .busy(let candidate, let again, let until) where again <= now:
            guard let pipeline = pipeline(to: candidate) else { return getStuck(now) }
            state = .setting(candidate, busyUntil: until)
            return .drive(pipeline)
        case .stuck(let again) where again <= now: return begin(keeping: nil, now)
        case .shown(let candidate):
            if let climb = nextUpgrade, climb <= now { return begin(keeping: candidate, now) }
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
