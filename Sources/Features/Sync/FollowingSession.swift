// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Playback
import Synchronisation
import System
import Time
import Timelines

/// A session that is held to a television's timeline: it measures, asks the controller, and performs what that says.
/// - Thread: the control loop's only.
final class FollowingSession {
    private static let tolerance = Nanoseconds.milliseconds(1)
    /// Ten years, which is longer than any file whose duration is not known.
    private static let farthest = Nanoseconds.seconds(315_360_000)
    /// A paused session that is nearer to the timeline stays where it is.
    private static let standingDifference = MediaPlace.heldMargin / 2
    private static let mostPauseSeeks = 3

    let id: Int
    let region: RegionPlayer
    private let regions: RegionDirectory
    private let reported: (SyncControllerState) -> Void
    private var controller: SyncController
    private var timeline: MediaTimeline?
    /// Seeks to the picture at which the timeline stands, since it moved last.
    private var pauseSeeks = 0
    /// The number of the newest jump. An earlier one may be answered when that takes its place.
    private var lastJump = 0
    /// Whether it has not been answered. Any other seek is a person's, which is not interrupted.
    private var isJumping = false
    /// The delay that the session has when it was put off as it was told to; nil if it was not told to.
    private var awaitedDelay: Nanoseconds?
    private var pacing = PresentationPacing()
    /// What the television is to be told of the session now; nil if there is nothing new to tell.
    private(set) var presented: PresentationTimestamps?

    /// - Parameter reported: called with each new state of the controller.
    init(
        _ id: Int, in region: RegionPlayer, of regions: RegionDirectory, _ configuration: SyncConfiguration,
        medium: ClockCorrelation, reported: @escaping (SyncControllerState) -> Void
    ) {
        (self.id, self.region, self.regions, self.reported) = (id, region, regions, reported)
        controller = SyncController(configuration, correlation: medium, at: regions.environment.now())
    }

    var state: SyncControllerState { controller.state }
    var accuracy: SyncAccuracy { controller.accuracy }

    func start() { perform(controller.start(at: now)) }

    /// The session plays on by itself.
    func stop() {
        perform(controller.stop(at: now))
        regions.environment.perform(id, .steer(nil))
    }

    /// Leaves the session as it is, paused or not, at normal rate: it is what others follow from now on.
    func leave() { regions.environment.perform(id, .steer(nil)) }

    /// - Parameter timeline: nil while it is not available.
    func follow(_ timeline: FollowedTimeline?, medium: ClockCorrelation) {
        let now = now
        guard let timeline else {
            self.timeline = nil
            pacing = PresentationPacing()
            return perform(controller.timelineLost(at: now))
        }
        let new = MediaTimeline(timeline, medium: medium)
        guard new != self.timeline else { return }
        self.timeline = new
        pauseSeeks = 0
        perform(controller.correlate(medium, at: now))
        perform(controller.timelineMoves(at: timeline.correlation.speed, at: now))
    }

    /// Measures how late the session presents, and corrects it.
    func look(by clock: SlewedWallClock?) {
        let now = now
        perform(controller.tick(at: now))
        presented = nil
        if state == .paused { return stand(at: now, by: clock) }
        guard let timeline, let clock, let position = regions.environment.position(id),
            let correlation = position.correlation, let session = region.player.current, session.id == id,
            session.isRunning, !session.isSeeking || isJumping
        else { return perform(controller.notMeasured(at: now)) }
        if let awaitedDelay, position.delay >= awaitedDelay {
            self.awaitedDelay = nil
            perform(controller.jumped(at: now))
        }
        let wallClock = clock.wallClock(at: now)
        let place = MediaPlace(correlation, delay: position.delay)
        guard let late = timeline.lateness(of: place, at: now, wallClock: wallClock),
            let bound = timeline.bound(at: wallClock, dispersion: clock.dispersion(at: now))
        else { return perform(controller.notMeasured(at: now)) }
        let reachable = reachable(from: position)
        if pacing.isDue(needs: late - reachable.upperBound, at: now) {
            // It can stand and wait, however little its history holds yet.
            let earliest = min(reachable.lowerBound, .zero - controller.configuration.longestWait)
            presented = timeline.timestamps(
                at: wallClock, late: late, reachable: earliest...reachable.upperBound)
        }
        perform(controller.measured(error: late, bound: bound, at: now))
    }

    /// A session that was told late to pause shows another picture than the television: it goes to that one, paused.
    private func stand(at now: Monotonic, by clock: SlewedWallClock?) {
        guard let timeline, timeline.timeline.correlation.speed.isPaused, pauseSeeks < Self.mostPauseSeeks, let clock,
            let session = region.player.current, session.id == id, session.isPaused, !session.isSeeking,
            let position = regions.environment.position(id), position.heldAt != nil,
            let correlation = position.correlation
        else { return }
        let place = MediaPlace(correlation, delay: position.delay, heldAt: position.heldAt)
        guard let late = timeline.lateness(of: place, at: now, wallClock: clock.wallClock(at: now)),
            late.magnitude > Self.standingDifference || place.isBefore(regions.environment.shownPicture(id)),
            reachable(from: position).contains(late)
        else { return }
        pauseSeeks += 1
        regions.seek(.shift(late), in: region) { _ in }
    }

    private var now: Monotonic { regions.environment.now() }

    /// - Parameter position: of the session, if it is known.
    private func perform(_ actions: [SyncController.Action], at position: PlaybackPosition? = nil) {
        for action in actions {
            switch action {
            case .setRate(let faster): regions.environment.perform(id, .steer(Int(clamping: 0 - faster)))
            case .jump(let later): jump(by: later, from: position ?? regions.environment.position(id))
            case .putOff(let span): putOff(by: span)
            case .pause: regions.control(.pause, in: region)
            case .play: regions.control(.play, in: region)
            case .report(let state): reported(state)
            }
        }
    }

    /// A shorter jump that the controller asks for instead is judged by the same position: the next one could be nearer
    /// to the end of the history, and refuse it.
    /// - Parameter later: by how much the medium is to run ahead.
    private func jump(by later: Nanoseconds, from position: PlaybackPosition?) {
        awaitedDelay = nil
        guard let position else { return perform(controller.cannotJump(reachable: nil, at: now)) }
        let reachable = reachable(from: position)
        guard reachable.contains(later) else {
            return perform(controller.cannotJump(reachable: reachable, at: now), at: position)
        }
        lastJump += 1
        isJumping = true
        regions.seek(.shift(later), in: region) { [weak self, number = lastJump] result in
            guard let self, number == lastJump else { return }
            isJumping = false
            switch result {
            case .success: perform(controller.jumped(at: now))
            case .failure: perform(controller.cannotJump(reachable: nil, at: now))
            }
        }
    }

    private func putOff(by span: Nanoseconds) {
        guard let position = regions.environment.position(id) else {
            return perform(controller.cannotJump(reachable: nil, at: now))
        }
        // By rate it may have come nearer to live meanwhile.
        awaitedDelay = position.delay + span - Self.tolerance
        regions.control(.putOff(span), in: region)
    }

    private func reachable(from position: PlaybackPosition) -> ClosedRange<Nanoseconds> {
        if region.player.current?.source.channel == nil {
            let rest = position.duration.map { max(.zero, $0 - position.progress) }
            return min(.zero, .zero - position.progress)...(rest ?? Self.farthest)
        }
        return min(.zero, position.behindLive - position.available)...max(.zero, position.behindLive)
    }
}
