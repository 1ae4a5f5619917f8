// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport
import Testing
import Time

@testable import Synchronisation

/// G-53, G-54: eight boxes of a group play one live channel, each by clocks of its own that are within 50 ppm. The leader
/// loses its power in the middle.
@Suite struct BoxesTogetherTests {
    struct Scene: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let network: SimulatedNetwork
        let refresh: FrameRate
        /// Of the boxes, milliseconds.
        let delays: [Int64]

        static let all: [Scene] = [
            Scene(
                testDescription: "jitter, 50 Hz, one delay", network: .jitter, refresh: FrameRate(50), delays: [300]),
            Scene(
                testDescription: "jitter, 60 Hz", network: .jitter, refresh: FrameRate(60),
                delays: [250, 300, 500, 280, 900, 400]),
            Scene(
                testDescription: "WiFi, 50 Hz", network: .wifi, refresh: FrameRate(50), delays: [300, 350, 700, 400]),
        ]
    }

    private static func second(_ value: Int64) -> Int64 { value * 1_000_000_000 }
    private static let seconds = Effort.together

    private static func trace(_ venue: SimulatedVenue) {
        guard getenv("K_TRACE") != nil else { return }
        let first = venue.leader?.heard?.count ?? 0
        let rows = venue.alive.map { box -> String in
            let error = box.held?.controller.accuracy.error.map { "\($0.microseconds)" } ?? "-"
            let bound = (box.held?.controller.accuracy.bound.microseconds) ?? 0
            let sound = box.heard.map { "\(($0.count - first) / 1_000)" } ?? "-"
            var clock = "-"
            if let leader = venue.leader, let wall = box.follower?.requester.clock {
                let now = box.clock.reading(at: venue.now)
                let truth = leader.wallClock(at: leader.clock.reading(at: venue.now)).nanoseconds
                clock = "\((wall.wallClock(at: now).nanoseconds - truth) / 1_000)"
            }
            let state = box.held?.controller.state.rawValue ?? 0
            let rate = (box.held?.controller.accuracy.rate ?? 0) / 1_000
            return "\(state):\(error)±\(bound) s\(sound) c\(clock) r\(rate)"
        }
        print("\(venue.now / 1_000_000_000)", rows.joined(separator: " | "))
    }

    @Test(arguments: Scene.all, Effort.seeds(2))
    func eightBoxesShowOnePictureAndSpeakWithOneVoice(scene: Scene, seed: UInt64) throws {
        let venue = try SimulatedVenue(
            8, refresh: scene.refresh, delays: scene.delays, network: scene.network, jitter: .milliseconds(10),
            seed: seed &+ Effort.seed)
        var record = VenueRecord(refresh: scene.refresh)
        // The group knows who leads.
        venue.run(until: Self.second(5))
        let leader = try #require(venue.leader)
        venue.tune(leader)
        for (number, box) in venue.boxes.filter({ $0 !== leader }).enumerated() {
            venue.run(until: Self.second(5) + Int64(number) * 170_000_000)
            venue.tune(box)
        }
        let tuned = venue.now
        venue.run(until: tuned + Self.second(3)) { Self.trace($0) }
        let locked = venue.now
        let waits = venue.boxes.map { $0.waits + ($0.held?.moves ?? 0) }
        venue.run(until: locked + Self.second(Self.seconds / 2)) {
            record.hear($0.alive)
            Self.trace($0)
        }
        record.see(venue.alive, from: locked, to: venue.now)
        venue.kill(leader)
        let killed = venue.now
        let moves = Dictionary(uniqueKeysWithValues: venue.alive.map { ($0.name, $0.held?.moves ?? 0) })
        venue.run(until: killed + Self.second(Self.seconds / 2)) {
            record.hear($0.alive)
            Self.trace($0)
        }
        record.see(venue.alive, from: killed, to: venue.now)
        print("together, \(scene.testDescription), seed \(seed): \(record.description); waits \(waits)")
        let steps = venue.alive.map { $0.longestStep(from: killed, to: venue.now) }
        if getenv("K_TRACE") != nil { print("  steps \(steps.map(\.milliseconds))") }
        #expect(venue.handovers.count == 1 && venue.leader != nil)
        #expect(record.pictures > 24 * Int(Self.seconds))
        #expect(record.picturesTogether * 1_000 >= record.pictures * 999)
        #expect(record.sounds >= Int(Self.seconds))
        #expect(record.soundsTogether * 1_000 >= record.sounds * 999)
        // No box jumps, and no picture stays for longer than one more.
        let followers = venue.alive.filter { $0.held != nil }
        #expect(followers.count == 6 && followers.allSatisfy { $0.held?.moves == moves[$0.name] })
        #expect(venue.leader?.waits == 0)
        #expect(steps.allSatisfy { $0 <= SimulatedChannel.picture * 2 }, "\(steps)")
    }
}

extension SimulatedBox {
    /// The longest time from a picture to the next one that was visible between two instants.
    func longestStep(from start: Int64, to end: Int64) -> Nanoseconds {
        let times = shown.values.filter { $0 >= start && $0 < end }.sorted()
        return Nanoseconds(zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? 0)
    }
}

extension Effort {
    /// Simulated seconds: ten minutes in a soak.
    fileprivate static var together: Int64 { seeds(1).upperBound > 1 ? 600 : 60 }
}
