// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import TestSupport
import Time

@testable import Synchronisation

/// A box of a group: three clocks of its own, what it plays, and its part in the group. Instants of its methods are of
/// its own system clock.
final class SimulatedBox {
    /// How often the control loop looks, and by how much later it may.
    static let look = Nanoseconds.milliseconds(100)
    static let lookJitter: Int64 = 3_000_000

    let name: String
    let clock: SimulatedCrystal
    let delay: Nanoseconds
    var screen: SimulatedScreen
    var speaker: SimulatedSpeaker
    var group: SyncGroup
    var isAlive = true
    /// nil before the box is tuned.
    var player: SimulatedPlayer?
    var held: HeldSession?
    var follower: SimulatedFollower?
    var server: TSServer?
    /// From its system clock to the wall clock that it serves.
    var wallClockOffset = Nanoseconds.zero
    private var leading = LeadingDelay()
    /// Times at which the session was put off for the sake of followers.
    private(set) var waits = 0
    /// True times of what comes next, and of the first of all that.
    var nextEvent = Int64.max
    var nextLook = Int64.max
    var nextGroup: Int64
    var nextPacket = (number: 0, at: Int64.max)
    /// True time at which each picture was visible first.
    private(set) var shown: [Int: Int64] = [:]
    /// True time minus time stamp of what is heard.
    private(set) var heard: Nanoseconds?

    init(
        _ name: String, _ url: WebSocketURL, clock: SimulatedCrystal, dac: SimulatedCrystal, screen: SimulatedScreen,
        delay: Nanoseconds
    ) {
        (self.name, self.clock, self.delay, self.screen) = (name, clock, delay, screen)
        speaker = SimulatedSpeaker(dac)
        group = SyncGroup(name: "lobby", box: name, isAppointed: false, ciiURL: url, at: clock.reading(at: 0))
        nextGroup = 0
    }

    func tune(headroom: Nanoseconds, at time: Int64) {
        player = SimulatedPlayer(delay: delay + headroom)
        screen.skip(to: time)
        speaker.skip(to: time)
        nextLook = time
    }

    // MARK: What is seen and heard

    func decide(_ random: inout SplitMix64) {
        guard var player else { return }
        if let outcome = screen.decide(&player, clock, &random) {
            if shown[outcome.picture] == nil { shown[outcome.picture] = outcome.at }
            self.player = player
            if outcome.seek != nil {
                let now = clock.reading(at: outcome.at)
                perform(held?.controller.jumped(at: now) ?? [], at: now)
            }
        } else {
            self.player = player
        }
    }

    func play(_ random: inout SplitMix64) {
        guard let player else { return }
        heard = speaker.play(player, clock, &random)
    }

    // MARK: The session

    func perform(_ actions: [SyncController.Action], at now: Monotonic) {
        guard var held, var player else { return }
        held.perform(actions, &player, at: now)
        (self.held, self.player) = (held, player)
    }

    func beginHeld(at now: Monotonic) {
        held = HeldSession(at: now)
        perform(held?.controller.start(at: now) ?? [], at: now)
        follow(at: now)
    }

    /// The timeline that is followed is another one.
    func follow(at now: Monotonic) {
        guard let follower, var held else { return }
        let actions = follower.follow(&held, at: now)
        self.held = held
        perform(actions, at: now)
    }

    // MARK: Leading

    func lead(continues: Bool, at now: Monotonic) {
        if continues, let clock = follower?.requester.clock {
            wallClockOffset = Nanoseconds(clock.wallClock(at: now).nanoseconds - now.nanoseconds)
        } else {
            wallClockOffset = .seconds(Int64(name.utf8.last ?? 0))
        }
        perform(held?.controller.stop(at: now) ?? [], at: now)
        (held, follower) = (nil, nil)
        server = TSServer()
        leading = LeadingDelay()
        player?.steer(by: 0, at: now)
    }

    func wallClock(at now: Monotonic) -> WallClockTime {
        WallClockTime(nanoseconds: (now + wallClockOffset).nanoseconds)
    }

    /// As `LeadingBox` does.
    func publish(at now: Monotonic) -> [CompanionServerAction] {
        guard let player, server != nil else { return [] }
        let properties = TimelineProperties(.mpeg)
        var timestamp: ControlTimestamp?
        if let correlation = player.position.correlation, player.hasStarted {
            let place = MediaPlace(correlation, delay: player.position.delay)
            let ticks = TickRate.mpeg.ticks(place.presented(at: now)) & ((1 << 33) - 1)
            timestamp = ControlTimestamp(
                wallClockTime: wallClock(at: now), movement: .init(contentTime: ticks, speed: 1))
        }
        let timelines = PublishedTimelines(
            contentID: "channel",
            timelines: [.pts: .init(properties, timestamp, appliedDelay: player.position.behindLive)])
        let actions = server?.publish(timelines, wallClock: wallClock(at: now)) ?? []
        if timestamp != nil,
            let growth = leading.growth(
                to: server?.commonDelay(of: .pts), applied: player.position.behindLive, at: now)
        {
            waits += 1
            self.player?.putOff(by: growth, at: now)
        }
        return actions
    }
}
