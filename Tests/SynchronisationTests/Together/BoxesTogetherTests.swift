// SPDX-License-Identifier: Apache-2.0
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
        /// How far sound may be apart. Boxes that were waited for are a little further in the first seconds.
        var sound = Nanoseconds.milliseconds(1)

        static let all: [Scene] = [
            Scene(
                testDescription: "jitter, 50 Hz, one delay", network: .jitter, refresh: FrameRate(50), delays: [300]),
            Scene(
                testDescription: "jitter, 60 Hz", network: .jitter, refresh: FrameRate(60),
                delays: [250, 300, 500, 280, 900, 400],
                sound: .microseconds(1_200)),
        ]
    }

    private static func second(_ value: Int64) -> Int64 { value * 1_000_000_000 }
    private static let seconds = Effort.together

    @Test(arguments: Scene.all, Effort.seeds(2))
    func eightBoxesShowOnePictureAndSpeakWithOneVoice(scene: Scene, seed: UInt64) throws {
        let venue = try SimulatedVenue(
            8, refresh: scene.refresh, delays: scene.delays, network: scene.network, jitter: .milliseconds(10),
            seed: seed &+ Effort.seed)
        var record = VenueRecord(refresh: scene.refresh, sound: scene.sound)
        // The group knows who leads.
        venue.run(until: Self.second(5))
        let leader = try #require(venue.leader)
        venue.tune(leader)
        for (number, box) in venue.boxes.filter({ $0 !== leader }).enumerated() {
            venue.run(until: Self.second(5) + Int64(number) * 170_000_000)
            venue.tune(box)
        }
        let tuned = venue.now
        venue.run(until: tuned + Self.second(3))
        let locked = venue.now
        let waits = venue.boxes.map { $0.waits + ($0.held?.moves ?? 0) }
        venue.run(until: locked + Self.second(Self.seconds / 2)) { record.hear($0.alive) }
        record.see(venue.alive, from: locked, to: venue.now)
        venue.kill(leader)
        let killed = venue.now
        let moves = Dictionary(uniqueKeysWithValues: venue.alive.map { ($0.name, $0.held?.moves ?? 0) })
        venue.run(until: killed + Self.second(Self.seconds / 2)) { record.hear($0.alive) }
        record.see(venue.alive, from: killed, to: venue.now)
        print("together, \(scene.testDescription), seed \(seed): \(record.description); waits \(waits)")
        let steps = venue.alive.map { $0.longestStep(from: killed, to: venue.now) }
        #expect(venue.handovers.count == 1 && venue.leader != nil)
        #expect(record.pictures > 24 * Int(Self.seconds))
        #expect(record.picturesTogether * 1_000 >= record.pictures * 999)
        #expect(record.sounds > 24 * Int(Self.seconds))
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
