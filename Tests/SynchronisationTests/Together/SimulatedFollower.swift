// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Time
import Timelines

@testable import Synchronisation

/// A box that follows another one: wall clock, timeline and controller are the real ones, and what lies between them is
/// done as `FollowingSession` does it.
struct SimulatedFollower {
    /// Of the box that is followed.
    let leader: String
    var requester: WallClockRequester
    /// The number of its connection to the leader, and whether that is open.
    let client: CompanionClient
    var isConnected = false
    private var received = TimelineFollower(TimelineOption(.pts, TimelineProperties(.mpeg)))
    private var timeline: MediaTimeline?
    private var pacing = PresentationPacing()

    init(_ leader: String, client: CompanionClient, at now: Monotonic) {
        (self.leader, self.client) = (leader, client)
        requester = WallClockRequester(
            local: ClockQuality(precision: .microseconds(1), frequencyError: .ppm(50)), at: now)
    }

    /// - Returns: whether it says anything new.
    mutating func receive(_ timestamp: ControlTimestamp) -> Bool {
        guard received.receive(timestamp) == .taken else { return false }
        timeline = received.timeline.map { MediaTimeline($0, medium: ClockCorrelation(parentTicks: 0, ticks: 0)) }
        if timeline == nil { pacing = PresentationPacing() }
        return true
    }

    /// - Returns: what the session is to do.
    func follow(_ held: inout HeldSession, at now: Monotonic) -> [SyncController.Action] {
        guard let speed = timeline?.timeline.correlation.speed else { return held.controller.timelineLost(at: now) }
        return held.controller.timelineMoves(at: speed, at: now)
    }

    /// - Returns: what the session is to do, and what the leader is to be told.
    mutating func look(
        _ player: SimulatedPlayer, _ held: inout HeldSession, at now: Monotonic
    ) -> ([SyncController.Action], PresentationTimestamps?) {
        var actions = held.controller.tick(at: now)
        guard let timeline, let clock = requester.clock, let correlation = player.position.correlation,
            player.hasStarted, player.seek == nil
        else { return (actions, nil) }
        if let awaited = held.awaitedDelay, player.position.delay >= awaited {
            held.awaitedDelay = nil
            actions += held.controller.jumped(at: now)
        }
        let wallClock = clock.wallClock(at: now)
        let place = MediaPlace(correlation, delay: player.position.delay)
        guard let late = timeline.lateness(of: place, at: now, wallClock: wallClock),
            let bound = timeline.bound(at: wallClock, dispersion: clock.dispersion(at: now))
        else { return (actions, nil) }
        var told: PresentationTimestamps?
        let reachable = HeldSession.reachable(from: player.position)
        if pacing.isDue(needs: late - reachable.upperBound, at: now) {
            let earliest = min(reachable.lowerBound, .zero - held.controller.configuration.longestWait)
            told = timeline.timestamps(at: wallClock, late: late, reachable: earliest...reachable.upperBound)
        }
        actions += held.controller.measured(error: late, bound: bound, at: now)
        return (actions, told)
    }
}
