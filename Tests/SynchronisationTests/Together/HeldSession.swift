// SPDX-License-Identifier: Apache-2.0
import Time
import Timelines

@testable import Playback
@testable import Synchronisation

/// A session that a controller holds to a timeline, as `FollowingSession` does it. It outlives the box that is followed.
struct HeldSession {
    private static let tolerance = Nanoseconds.milliseconds(1)

    var controller: SyncController
    /// See `FollowingSession`.
    var awaitedDelay: Nanoseconds?
    /// Jumps, and waits for other boxes.
    private(set) var moves = 0
    private(set) var greatestRate: Int64 = 0

    init(at now: Monotonic) {
        var configuration = SyncConfiguration()
        configuration.leader = .box
        controller = SyncController(configuration, correlation: ClockCorrelation(parentTicks: 0, ticks: 0), at: now)
    }

    /// Performs what the controller wants.
    mutating func perform(_ actions: [SyncController.Action], _ player: inout SimulatedPlayer, at now: Monotonic) {
        for action in actions {
            switch action {
            case .setRate(let faster):
                greatestRate = max(greatestRate, abs(faster))
                player.steer(by: Int(0 - faster), at: now)
            case .jump(let later):
                let reachable = Self.reachable(from: player.position)
                guard reachable.contains(later) else {
                    perform(controller.cannotJump(reachable: reachable, at: now), &player, at: now)
                    continue
                }
                moves += 1
                player.shift(by: later, at: now)
            case .putOff(let span):
                moves += 1
                awaitedDelay = player.position.delay + span - Self.tolerance
                player.putOff(by: span, at: now)
            case .pause, .play, .report: break
            }
        }
    }

    static func reachable(from position: PlaybackPosition) -> ClosedRange<Nanoseconds> {
        min(.zero, position.behindLive - position.available)...max(.zero, position.behindLive)
    }
}
