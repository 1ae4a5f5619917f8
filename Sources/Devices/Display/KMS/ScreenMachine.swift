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
    static let flipPatience = Nanoseconds.milliseconds(200)
    /// A mode that takes longer to be set has been lost; a television takes half a second, links are trained in two.
    static let setPatience = Nanoseconds.seconds(3)
    /// A card that does nothing for longer than the 10 s after which the kernel gives up what it waits for is broken.
    static let busyPatience = Nanoseconds.seconds(12)
    /// Before a refused flip is made again, or a card asked that is busy.
    static let refusalPause = Nanoseconds.milliseconds(20)
    /// Before a card that has refused everything is asked again.
    static let retryPause = Nanoseconds.milliseconds(500)
    /// Between two looks at the connectors, for a kernel that does not tell. Displays are asked while there is no picture.
    static let lookPause = Nanoseconds.seconds(2)
    /// Before a better mode than the one that was accepted is tried again; doubled each time, up to the longest.
    static let climbPause = Nanoseconds.seconds(30)
    static let longestClimbPause = Nanoseconds.seconds(900)
    /// Rungs of a ladder, at most.
    static let mostRungs = 8

    private(set) var counters = ScreenCounters()
    private(set) var state = State.dark
    /// The one that is driven, or is to be.
    private(set) var connector: KMSConnector?
    private var connectors: [KMSConnector] = []
    private var planes: [KMSPlane] = []
    private var wish: ModeWish
    private let pinnedName: String?
    private var rungs: [KMSTiming] = []
    private var tried: Set<Int> = []
    /// The rung that is on while others are tested.
    private var kept: Int?
    /// What the screen shows the stage in; stays while the same is set again.
    private var shownTiming: KMSTiming?
    /// The one whose setting was given up last.
    private var lost: Int?
    // What was heard while a mode was set, and is seen to afterwards.
    private var isHotplugMissed = false
    private var isWishMissed = false
    private var nextLook: Monotonic
    private var nextClimb: Monotonic?
    private var climbPause = climbPause
    private var troubleSince: Monotonic?

    /// - Parameter connector: the only one to be used, by the kernel's name.
    init(_ wish: ModeWish, connector: String? = nil, now: Monotonic) {
        self.wish = wish
        pinnedName = connector
        nextLook = now + Self.lookPause
    }

    /// Whether a flip would be made of a picture now.
    var isShown: Bool {
        switch state {
        case .shown, .flipRefused: true
        default: false
        }
    }

    /// What is pinned, while the screen shows another mode: it lacks that one, or the card refuses it.
    var passedOver: ModePin? {
        guard let pin = wish.pin, let timing, !timing.mode.isMeant(by: pin) else { return nil }
        return pin
    }

    /// Whether the stage is on the screen.
    var isOn: Bool { timing != nil }

    var timing: KMSTiming? {
        switch state {
        case .shown(let rung), .flipRefused(let rung, _), .flipping(let rung, _), .flying(let rung, _): rungs[rung]
        case .awaiting(let rung, _), .busy(let rung, _, _): rungs[rung] == shownTiming ? shownTiming : nil
        case .dark, .testing, .setting, .stuck: nil
        }
    }

    /// Of the mode that is shown, or is about to be.
    var expected: KMSTiming? {
        switch state {
        case .testing(let rung), .setting(let rung, _), .awaiting(let rung, _), .busy(let rung, _, _): rungs[rung]
        default: timing
        }
    }

    /// A mode is being set, or a flip made: who waits for it looks again soon.
    var isAwaiting: Bool {
        switch state {
        case .awaiting, .flying: true
        default: false
        }
    }

    /// When `due` has something to do at the latest.
    var deadline: Monotonic? {
        switch state {
        case .dark: nextLook
        case .stuck(let again): min(again, nextLook)
        case .flipRefused(_, let again), .busy(_, let again, _): again
        case .awaiting(_, let until), .flying(_, let until): until
        case .shown: min(nextClimb ?? nextLook, nextLook)
        case .testing, .setting, .flipping: nil
        }
    }

    mutating func handle(_ input: Input, now: Monotonic) -> Action {
        switch input {
        case .sighted(let found, let planes, let isHotplug):
            if isHotplug { counters.hotplugs += 1 }
            (connectors, self.planes) = (found, planes)
            return choose(isHotplug: isHotplug, now)
        case .contentChanged(let rate):
            guard rate != wish.content else { return .rest }
            wish.content = rate
            if isBeingSet {
                isWishMissed = true
                return .rest
            }
            return chooseMode(now)
        case .pictureMade:
            if case .flying = state { counters.picturesSkipped += 1 }
            guard case .shown(let rung) = state else { return pass(now) }
            state = .flipping(rung, isSecondTime: false)
            return .flip
        case .due: return pass(now)
        case .accepted: return accepted(now)
        case .begun:
            if case .flipping(let rung, _) = state { state = .flying(rung, until: now + Self.flipPatience) }
            if case .setting(let rung, _) = state {
                (state, kept, isHotplugMissed) = (.awaiting(rung, until: now + Self.setPatience), nil, false)
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
            if case .flipping(let rung, _) = state { state = .shown(rung) }
            return .rest
        case .flipLost:
            guard case .flipping(let rung, _) = state else { return .rest }
            return flipLost(rung, now)
        case .cardLost:
            counters.cardsLost += 1
            (connector, connectors, planes, state, shownTiming) = (nil, [], [], .dark, nil)
            noteTrouble(now)
            nextLook = now + Self.lookPause
            return .look(asksDisplays: true)
        }
    }

    // MARK: Screens

    /// What was read has changed, or may have.
    private mutating func choose(isHotplug: Bool, _ now: Monotonic) -> Action {
        let old = connector
        connector = chosen
        guard let connector else {
            (state, shownTiming) = (.dark, nil)
            nextLook = now + Self.lookPause
            troubleSince = nil  // what nobody could see is not counted
            return old == nil ? .rest : .release
        }
        guard let old, old.isSameScreen(as: connector) else {
            noteTrouble(now)
            shownTiming = nil
            makeRungs()
            return begin(keeping: nil, now)
        }
        switch state {
        case .awaiting where isHotplug, .busy where isHotplug, .flying where isHotplug || connector.isLinkBad:
            isHotplugMissed = true
            return .rest
        case .shown(let rung), .flipRefused(let rung, _):
            // A display that was off in between needs its mode anew, and to a card that has told it costs nothing.
            guard isHotplug || connector.isLinkBad else { return .rest }
            noteTrouble(now)
            return set(rung, now)
        case .stuck where isHotplug: return begin(keeping: nil, now)
        default: return .rest
        }
    }

    /// By another wish. What is on stays on until something better is accepted.
    private mutating func chooseMode(_ now: Monotonic) -> Action {
        guard connector != nil else { return .rest }
        let timing = timing
        makeRungs(with: timing)
        let place = timing.flatMap { rungs.firstIndex(of: $0) }
        guard place != 0 else {
            if case .flipRefused(_, let again) = state {
                state = .flipRefused(0, again: again)
            } else {
                state = .shown(0)
            }
            nextClimb = nil
            return .rest
        }
        return begin(keeping: place, now)
    }

    /// The one that is driven, if it still can be; else the first.
    private var chosen: KMSConnector? {
        let usable = connectors.filter { found in
            found.isConnected && !found.timings.isEmpty && found.path(among: planes) != nil
                && (pinnedName == nil || found.name == pinnedName)
        }
        return usable.first { $0.id == connector?.id } ?? usable.first
    }

    // MARK: Modes

    /// The best of the ladder, the display's own and its smallest.
    /// - Parameter shown: is one of them as well.
    private mutating func makeRungs(with shown: KMSTiming? = nil) {
        guard let connector else {
            rungs = []
            return
        }
        (rungs, lost, isWishMissed) = (connector.rungs(for: wish, with: shown, atMost: Self.mostRungs), nil, false)
    }

    private mutating func begin(keeping rung: Int?, _ now: Monotonic) -> Action {
        tried = []
        kept = rung
        nextClimb = nil
        return next(now)
    }

    /// The first rung that was not tried yet.
    private mutating func next(_ now: Monotonic) -> Action {
        guard let rung = rungs.indices.first(where: { !tried.contains($0) }) else {
            return getStuck(now)
        }
        if rung == kept {
            state = .shown(rung)
            climbLater(from: rung, now)
            return .rest
        }
        guard let route = route(to: rung) else { return getStuck(now) }
        state = .testing(rung)
        return .test(route)
    }

    private mutating func getStuck(_ now: Monotonic) -> Action {
        (state, shownTiming) = (.stuck(again: now + Self.retryPause), nil)
        return pass(now)
    }

    private mutating func set(_ rung: Int, _ now: Monotonic) -> Action {
        guard let route = route(to: rung) else { return getStuck(now) }
        if case .testing = state {} else { (tried, kept) = ([], nil) }
        state = .setting(rung, busyUntil: nil)
        return .drive(route)
    }

    private var isBeingSet: Bool {
        switch state {
        case .awaiting, .busy, .flying: true
        default: false
        }
    }

    private func route(to rung: Int) -> ScreenRoute? {
        guard let connector, let path = connector.path(among: planes) else { return nil }
        let others = connectors.filter { $0.id != connector.id && $0.controller == path.controller }
        return ScreenRoute(
            plane: path.plane, controller: path.controller, connector: connector.id, timing: rungs[rung],
            others: others.map(\.id))
    }

    private mutating func climbLater(from rung: Int, _ now: Monotonic) {
        guard rung > 0 else {
            nextClimb = nil
            climbPause = Self.climbPause
            return
        }
        nextClimb = now + climbPause
        climbPause = min(climbPause * 2, Self.longestClimbPause)
    }

    // MARK: What came of it

    private mutating func accepted(_ now: Monotonic) -> Action {
        switch state {
        case .testing(let rung): return set(rung, now)
        case .setting(let rung, _), .awaiting(let rung, _): return hasBeenSet(rung, now)
        case .flipping(let rung, _), .flying(let rung, _):
            counters.flips += 1
            state = .shown(rung)
            noteRecovery(now)
            return catchUp(rung, now)
        case .dark, .busy, .shown, .flipRefused, .stuck: break
        }
        return .rest
    }

    private mutating func hasBeenSet(_ rung: Int, _ now: Monotonic) -> Action {
        counters.modesets += 1
        (state, lost, shownTiming) = (.shown(rung), nil, rungs[rung])
        climbLater(from: rung, now)
        noteRecovery(now)
        return catchUp(rung, now)
    }

    private mutating func catchUp(_ rung: Int, _ now: Monotonic) -> Action {
        if isHotplugMissed { return set(rung, now) }
        return isWishMissed ? chooseMode(now) : .rest
    }

    private mutating func flipLost(_ rung: Int, _ now: Monotonic) -> Action {
        counters.flipsLost += 1
        noteTrouble(now - Self.flipPatience)
        return set(rung, now)
    }

    private mutating func busy(_ now: Monotonic) -> Action {
        guard case .setting(let rung, let busyUntil) = state, busyUntil.map({ now < $0 }) ?? true else {
            return refused(now)
        }
        if busyUntil == nil {
            counters.commitsRefused += 1
            noteTrouble(now)
        }
        state = .busy(rung, again: now + Self.refusalPause, until: busyUntil ?? now + Self.busyPatience)
        return .rest
    }

    private mutating func refused(_ now: Monotonic) -> Action {
        switch state {
        case .testing(let rung):
            tried.insert(rung)
            return next(now)
        case .setting(let rung, _), .awaiting(let rung, _):
            counters.commitsRefused += 1
            noteTrouble(now)
            tried.insert(rung)
            return next(now)
        case .flipping(let rung, let isSecondTime):
            counters.commitsRefused += 1
            noteTrouble(now)
            if isSecondTime { return set(rung, now) }
            state = .flipRefused(rung, again: now + Self.refusalPause)
        case .dark, .busy, .shown, .flying, .flipRefused, .stuck: break
        }
        return .rest
    }

    private mutating func pass(_ now: Monotonic) -> Action {
        switch state {
        case .flipRefused(let rung, let again) where again <= now:
            state = .flipping(rung, isSecondTime: true)
            return .flip
        case .awaiting(let rung, let until) where until <= now:
            counters.modesetsLost += 1
            noteTrouble(now - Self.setPatience)
            tried.insert(rung)
            (lost, shownTiming) = (rung, nil)
            return next(now)
        case .flying(let rung, let until) where until <= now: return flipLost(rung, now)
        case .busy(let rung, let again, let until) where again <= now:
            guard let route = route(to: rung) else { return getStuck(now) }
            state = .setting(rung, busyUntil: until)
            return .drive(route)
        case .stuck(let again) where again <= now: return begin(keeping: nil, now)
        case .shown(let rung):
            if let climb = nextClimb, climb <= now { return begin(keeping: rung, now) }
            return lookIfDue(now, asksDisplays: false)
        case .dark, .stuck: return lookIfDue(now, asksDisplays: true)
        case .testing, .setting, .awaiting, .busy, .flipping, .flying, .flipRefused: return .rest
        }
    }

    private mutating func lookIfDue(_ now: Monotonic, asksDisplays: Bool) -> Action {
        guard nextLook <= now else { return .rest }
        nextLook = now + Self.lookPause
        return .look(asksDisplays: asksDisplays)
    }

    private mutating func noteTrouble(_ now: Monotonic) { troubleSince = troubleSince ?? now }

    private mutating func noteRecovery(_ now: Monotonic) {
        guard let since = troubleSince else { return }
        counters.recovered(after: now - since)
        troubleSince = nil
    }
}
