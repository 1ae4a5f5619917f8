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
        let told = Self.receive(multiplex.datagrams(seconds: Self.seconds), jitter: seed)
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
        let apart = Self.apart(told.pictures, told.sounds)
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

    /// The encoder starts anew, or another one takes its place, with other time stamps and after some silence: what belongs
    /// together is together from the first sound on, and what comes last of before keeps its time. Five thousand in the soak.
    @Test(arguments: Effort.batches(20)) func anyRestart(seeds: ClosedRange<UInt64>) throws {
        for seed in seeds { checkRestart(seed &+ Effort.seed) }
    }

    private func checkRestart(_ seed: UInt64) {
        var random = SplitMix64(seed: ~seed)
        let before = Multiplex(seed: seed)
        let isAnother = Bool.random(using: &random)
        var after = isAnother ? Multiplex(seed: seed &+ 1_000_003) : before
        // What is the same again and again cannot be told from copies where there have been some.
        after.copies = before.copies
        let silence: Nanoseconds =
            Bool.random(using: &random) ? .zero : .milliseconds(.random(in: 1...1_500, using: &random))
        let most: Int64 = Bool.random(using: &random) ? 20_000 : 3_600_000
        // Nobody can tell a jump from a silence, or from another multiplexer's slack, that makes up for it.
        let size = Nanoseconds.milliseconds(.random(in: (isAnother ? 4_000 : 2_500)...most, using: &random))
        let jump = Bool.random(using: &random) ? size : Nanoseconds.zero - size
        let began = Nanoseconds.seconds(6)
        after.origin = before.ticks(began + silence + jump)
        let comment: Comment =
            "seed \(seed), jump \(jump.milliseconds) ms after \(silence.milliseconds) ms: \(before); then \(after)"
        let datagrams = after.datagrams(seconds: 5).map {
            Multiplex.Datagram(time: began + silence + $0.time, octets: $0.octets)
        }
        let told = Self.receive(before.datagrams(seconds: 6) + datagrams, jitter: seed)
        let stamps = (
            pictures: (0..<20).map { after.ticks(after.presentation(ofPicture: $0)) },
            sounds: (0..<40).map { after.ticks(after.presentation(ofSound: $0)) }
        )
        let (old, pictures) = told.pictures.cut(before: stamps.pictures, from: began)
        let (oldSounds, sounds) = told.sounds.cut(before: stamps.sounds, from: began)
        let sent = (0...).prefix { after.end(ofPicture: $0) < .seconds(5) }.count
        #expect(pictures.count >= sent - 30 && !sounds.isEmpty, comment)
        // By how much others come earlier or later is found with the first of them.
        let apart = Self.apart(pictures, sounds, .milliseconds(isAnother ? 80 : 40))
        #expect(apart.count <= (isAnother ? max(16, after.rate * 12 / 10) : 8), "\(apart) ms apart: \(comment)")
        let longest = max(Self.longestLateness(of: pictures), Self.longestLateness(of: sounds))
        let period = Nanoseconds.seconds(Int64(after.picturesPerPES)) / after.rate
        let limit = isAnother ? Nanoseconds.milliseconds(2_500) + period * 2 : Nanoseconds.milliseconds(1_500)
        #expect(longest <= limit, "late for \(longest): \(comment)")
        // For a minute the clock waits for what came late before.
        if !isAnother {
            let latest = (pictures + sounds).map { $0.read - $0.due }.max() ?? .zero
            #expect(latest > .milliseconds(-900), "everything is \(latest) early: \(comment)")
        }
        for units in [old, oldSounds] {
            let last = units.last { $0.read < began + silence + .seconds(2) }
            guard let last, let earlier = units.last(where: { $0.read < began - .milliseconds(500) })
            else {
                continue
            }
            // A correction of the clock before, of both.
            #expect((last.base - earlier.base).magnitude < .milliseconds(500), "the end of before: \(comment)")
        }
    }

    /// By how many milliseconds pictures are apart from the sound that is heard with them, from the first sound on, where
    /// it is more than `most`.
    private static func apart(
        _ pictures: [Unit], _ sounds: [Unit], _ most: Nanoseconds = .milliseconds(40)
    ) -> [Int64] {
        let sounds = sounds.sorted { $0.due < $1.due }
        var (index, apart) = (0, [Int64]())
        for picture in pictures.sorted(by: { $0.due < $1.due }) {
            while index + 1 < sounds.count, sounds[index + 1].due <= picture.due { index += 1 }
            guard index < sounds.count, (.zero ..< .milliseconds(350)).contains(picture.due - sounds[index].due) else {
                continue
            }
            let difference = picture.base - sounds[index].base
            if difference.magnitude > most { apart.append(difference.milliseconds) }
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
    fileprivate struct Unit {
        /// Its time stamp, 33 bits.
        var ticks: Int64
        /// When it was read, and when it is due at a delay of nothing; of the sender's clock.
        var read: Nanoseconds
        var due: Nanoseconds
        /// Media time less time stamp.
        var base: Nanoseconds
    }

    private final class Told: SessionSink {
        var pictures: [Unit] = []
        var sounds: [Unit] = []
        /// How many of each had been read when its timeline began.
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
        func picturesChangeTimeline() { began.pictures = pictures.count }
        func soundChangesTimeline() { began.sounds = sounds.count }
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
            let ticks = ticks & (1 << 33 - 1)
            return Unit(
                ticks: ticks, read: now - origin, due: time - origin,
                base: Nanoseconds(time.nanoseconds) - TickRate.mpeg.nanoseconds(ticks))
        }
    }

    private static func receive(_ datagrams: [Multiplex.Datagram], jitter seed: UInt64) -> Told {
        let origin = Monotonic(nanoseconds: 5_000_000_000_000)
        var random = SplitMix64(seed: seed)
        let history = HistoryBuffer(span: .seconds(30), capacity: 4 << 20)
        let flow = FlowReceiver(.automatic, into: history)
        let told = Told(origin)
        let reader = LiveProvider(history, arrived: Wakeup()).open(into: told)
        var (arrival, ticked) = (origin, origin)
        for datagram in datagrams {
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

extension [MultiplexTests.Unit] {
    /// Those before the first that was read from this time on and has one of these time stamps, and the others.
    fileprivate func cut(
        before stamps: [Int64], from time: Nanoseconds
    ) -> ([MultiplexTests.Unit], [MultiplexTests.Unit]) {
        let place = firstIndex { $0.read >= time && stamps.contains($0.ticks) } ?? endIndex
        return (Array(self[..<place]), Array(self[place...]))
    }
}
