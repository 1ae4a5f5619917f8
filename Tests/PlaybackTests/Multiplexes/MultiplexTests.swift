// SPDX-License-Identifier: Apache-2.0
import Buffers
import Media
import Reception
import System
import TestSupport
import Testing
import Time
import Timelines
import TransportStream
import Venue

@testable import Playback

/// Multiplexes of any kind, received and read as values: when each picture and each piece of sound is due is known by who
/// made them (`streams.md`, `media.md` 1 to 3).
@Suite struct MultiplexTests {
    private static let seconds: Int64 = 9
    /// From when on the clock of a stream must be right.
    private static let settled = Nanoseconds.seconds(4)
    /// The play-out delay.
    private static let delay = Nanoseconds.milliseconds(200)

    /// Ten thousand in the soak.
    @Test(arguments: Effort.batches(40)) func anyMultiplex(seeds: ClosedRange<UInt64>) throws {
        for seed in seeds { check(seed &+ Effort.seed) }
    }

    private func check(_ seed: UInt64) {
        let multiplex = Multiplex(seed: seed)
        let comment: Comment = "seed \(seed): \(multiplex)"
        let told = Self.receive(multiplex, jitter: seed)
        let sent = (0...).prefix { multiplex.end(ofPicture: $0) < .seconds(Self.seconds) }.count
        // The last ones are not complete, and those before the map are not seen.
        #expect(told.pictures.count >= sent - 30, comment)
        #expect(!told.hasDamage, comment)
        // One clock for both: what is presented at one instant belongs together.
        let pictures = told.pictures.filter { $0.read > Self.settled }
        let sounds = told.sounds.filter { $0.read > Self.settled }
        #expect(!pictures.isEmpty && !sounds.isEmpty, comment)
        guard let picture = pictures.last, let sound = sounds.last else { return }
        #expect((picture.base - sound.base).magnitude < .milliseconds(40), comment)
        let apart = Self.apart(told)
        // Those on the screen while the clock is corrected.
        #expect(apart.count <= 8, "\(apart) ms apart from the sound: \(comment)")
        // With a delay of 200 ms nothing comes too late for longer than 1.5 s, when slack has become less than any
        // before; nor does the clock wait for longer than what is needed.
        for units in [pictures, sounds] {
            let longest = Self.longestLateness(of: units)
            #expect(longest <= .milliseconds(1_500), "late for \(longest): \(comment)")
        }
        let latest = (pictures + sounds).map { $0.read - $0.due }.max() ?? .zero
        #expect(latest > .milliseconds(-900), "everything is \(latest) early: \(comment)")
    }

    /// By how many milliseconds pictures are apart from the sound that is heard with them, from the first sound on, where
    /// it is more than 40 ms.
    private static func apart(_ told: Told) -> [Int64] {
        let sounds = told.sounds.sorted { $0.due < $1.due }
        var (index, apart) = (0, [Int64]())
        for picture in told.pictures.sorted(by: { $0.due < $1.due }) {
            while index + 1 < sounds.count, sounds[index + 1].due <= picture.due { index += 1 }
            guard index < sounds.count, (.zero ..< .milliseconds(350)).contains(picture.due - sounds[index].due) else {
                continue
            }
            let difference = picture.base - sounds[index].base
            if difference.magnitude > .milliseconds(40) { apart.append(difference.milliseconds) }
        }
        return apart
    }

    private static func longestLateness(of units: [Unit]) -> Nanoseconds {
        var (since, longest) = (Nanoseconds?.none, Nanoseconds.zero)
        for unit in units {
            guard unit.read - unit.due >= .milliseconds(200) else {
                since = nil
                continue
            }
            let start = since ?? unit.read
            since = start
            longest = max(longest, unit.read - start)
        }
        return longest
    }

    /// A unit as it was read.
    private struct Unit {
        /// When it was read, and when it is due at a delay of nothing; of the sender's clock.
        var read: Nanoseconds
        var due: Nanoseconds
        /// Media time less time stamp.
        var base: Nanoseconds
    }

    private final class Told: SessionSink {
        var pictures: [Unit] = []
        var sounds: [Unit] = []
        /// How many of each had been read when the clock's timeline began.
        private var began = (pictures: 0, sounds: 0)
        var hasDamage = false
        var now = Monotonic(nanoseconds: 0)
        var counters = PlaybackCounters()
        let origin: Monotonic

        init(_ origin: Monotonic) {
            self.origin = origin
            now = origin
        }

        let stopping = StopFlag()
        func isSoon(_ time: Monotonic) -> Bool { true }
        func isUrgent(_ time: Monotonic) -> Bool { false }
        var hasRoomForPictures: Bool { true }
        var hasRoomForSound: Bool { true }
        var isCatchingUp: Bool { false }
        var mayStartSound: Bool { !pictures.isEmpty }
        func sourceReady(duration: Nanoseconds?) {}
        func streamsChanged(_ streams: [StreamInfo]) {}
        func streamUnsupported(_ what: String) {}
        func programsChanged(_ programs: [ListedProgram]) {}
        func nowNextChanged(_ nowNext: NowNext) {}
        func timeTold(_ time: StreamTime) {}
        func timelineTold(_ timeline: CarriedTimeline) {}
        func pictureStreamBegan(_ codec: Codec?) {}
        /// What has not been presented with the usual delay is moved.
        func picturesCorrected(by span: Nanoseconds) { correct(\.pictures, from: began.pictures, by: span) }
        func soundCorrected(by span: Nanoseconds) { correct(\.sounds, from: began.sounds, by: span) }

        private func correct(
            _ units: ReferenceWritableKeyPath<Told, [Unit]>, from first: Int, by span: Nanoseconds
        ) {
            var index = self[keyPath: units].count - 1
            while index >= first, self[keyPath: units][index].due + MultiplexTests.delay > now - origin {
                self[keyPath: units][index].due = self[keyPath: units][index].due + span
                self[keyPath: units][index].base = self[keyPath: units][index].base + span
                index -= 1
            }
        }
        func clockBegan() { began = (pictures.count, sounds.count) }
        func picturesBroke() {}
        func count(_ change: (inout PlaybackCounters) -> Void) { change(&counters) }

        func pictureRead(_ unit: AccessUnit, _ correlation: StreamCorrelation, _ bytes: UnsafeRawBufferPointer) {
            hasDamage = hasDamage || unit.isDamaged
            pictures.append(told(unit.dts, correlation.time(of: unit.dts)))
        }

        func soundRead(_ unit: AudioUnit, time: Monotonic?, _ bytes: UnsafeRawBufferPointer) {
            hasDamage = hasDamage || unit.isDamaged
            guard let pts = unit.pts, let time else { return }
            sounds.append(told(pts, time))
        }

        private func told(_ ticks: Int64, _ time: Monotonic) -> Unit {
            Unit(
                read: now - origin, due: time - origin,
                base: Nanoseconds(time.nanoseconds) - TickRate.mpeg.nanoseconds(ticks & (1 << 33 - 1)))
        }
    }

    private static func receive(_ multiplex: Multiplex, jitter seed: UInt64) -> Told {
        let origin = Monotonic(nanoseconds: 5_000_000_000_000)
        var random = SplitMix64(seed: seed)
        let history = HistoryBuffer(span: .seconds(30), capacity: 4 << 20)
        let flow = FlowReceiver(.automatic, into: history)
        let told = Told(origin)
        let reader = LiveProvider(history, arrived: Wakeup()).open(into: told)
        var (arrival, ticked) = (origin, origin)
        for datagram in multiplex.datagrams(seconds: seconds) {
            arrival = max(arrival, origin + datagram.time + .microseconds(.random(in: 0...1_500, using: &random)))
            datagram.octets.withUnsafeBytes { flow.datagramReceived($0, at: arrival) }
            if arrival - ticked > .milliseconds(10) {
                flow.tick(at: arrival)
                ticked = arrival
            }
            told.now = arrival
            while (try? reader.advance()) == .progressed {}
        }
        return told
    }
}
