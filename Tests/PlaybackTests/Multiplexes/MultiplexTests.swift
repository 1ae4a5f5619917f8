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
        for seed in seeds { check(Multiplex(seed: seed &+ Effort.seed), seed &+ Effort.seed) }
    }

    /// References that end after four seconds, or begin.
    @Test(arguments: Effort.batches(10)) func referencesForAWhile(seeds: ClosedRange<UInt64>) throws {
        for seed in seeds {
            var multiplex = Multiplex(seed: seed &+ Effort.seed)
            (multiplex.referenceLead, multiplex.swing) = (.zero, .zero)
            multiplex.referenceTimes = seed % 2 == 0 ? .zero ..< .seconds(4) : .seconds(4) ..< .seconds(1_000)
            check(multiplex, seed &+ Effort.seed)
        }
    }

    /// Sound that begins after the clock was acquired, announces half of what comes, or was kept until there was a picture;
    /// pictures without stamps while the clock is corrected, or before it is known; references that say nothing.
    @Test(arguments: [815, 5, 4_789, 755, 193, 804] as [UInt64]) func whatWasApart(seed: UInt64) {
        check(Multiplex(seed: seed), seed)
    }

    private func check(_ multiplex: Multiplex, _ seed: UInt64) {
        let comment: Comment = "seed \(seed): \(multiplex)"
        let told = Self.receive(multiplex.datagrams(seconds: Self.seconds), jitter: seed)
        let sent = (0...).prefix { multiplex.end(ofPicture: $0) < .seconds(Self.seconds) }.count
        // The last ones are not complete, and those before the map are not seen.
        #expect(told.pictures.count >= sent - 30, comment)
        #expect(!told.hasDamage, comment)
        let pictures = told.pictures.filter { $0.read > Self.settled }
        let sounds = told.sounds.filter { $0.read > Self.settled }
        #expect(!pictures.isEmpty && !sounds.isEmpty, comment)
        // One clock for both: what is presented at one instant belongs together.
        let known = Array(told.pictures.dropFirst(multiplex.picturesOfUnknownSpan))
        let (apart, compared) = Self.apart(known, told.sounds, lasting: multiplex.soundSpan)
        // Those on the screen while the clock is corrected.
        let most = multiplex.hasReferences ? 8 : 12
        #expect(apart.count <= most, "\(apart) ms apart from the sound: \(comment)")
        #expect(compared >= sent / 6, "\(compared) of \(sent) pictures have sound: \(comment)")
        // With a delay of 200 ms pictures come too late for 1.5 s beyond a stamp, when their slack is less than any before;
        // sound until the next clock reference behind its first unit, after which the clock waits for it. Nor does the clock
        // wait for longer than what is needed, for which a PES packet counts as one unit with the stamp of its first.
        let longest = (pictures: Self.longestLateness(of: pictures), sound: Self.longestLateness(of: told.sounds))
        let limit = Nanoseconds.milliseconds(1_500) + (multiplex.packetsPerStamp > 1 ? multiplex.stampInterval : .zero)
        #expect(longest.pictures <= limit, "late for \(longest.pictures): \(comment)")
        // Without references it waits for the stamps of both.
        let first = Nanoseconds.milliseconds(150) + (multiplex.hasReferences ? .zero : multiplex.stampInterval)
        #expect(longest.sound <= first, "sound is late for \(longest.sound): \(comment)")
        let latest = (pictures + sounds).map { $0.read - $0.due }.max() ?? .zero
        let packet = Nanoseconds.seconds(Int64(multiplex.picturesPerPES - 1)) / multiplex.rate
        #expect(latest > .milliseconds(-900) - packet, "everything is \(latest) early: \(comment)")
    }

    /// The encoder starts anew, or another one takes its place, with other time stamps and after some silence: what belongs
    /// together is together from the first sound on, and what comes last of before keeps its time. Five thousand in the soak.
    @Test(arguments: Effort.batches(20)) func anyRestart(seeds: ClosedRange<UInt64>) throws {
        for seed in seeds { checkRestart(seed &+ Effort.seed) }
    }

    /// The sound of another program corrected what was left of the one before.
    @Test(arguments: [4_611] as [UInt64]) func restartsThatWereWrong(seed: UInt64) { checkRestart(seed) }

    private func checkRestart(_ seed: UInt64) {
        var random = SplitMix64(seed: ~seed)
        var before = Multiplex(seed: seed)
        // Without references it takes seconds until both streams are on the new timeline, and they are apart meanwhile;
        // likewise where most pictures have no stamp, until the next one has.
        (before.referenceLead, before.packetsPerStamp) = (.zero, 1)
        let isAnother = Bool.random(using: &random)
        var after = isAnother ? Multiplex(seed: seed &+ 1_000_003) : before
        (after.referenceLead, after.packetsPerStamp) = (.zero, 1)
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
        let known = Array(pictures.dropFirst(isAnother ? after.picturesOfUnknownSpan : 0))
        let (apart, _) = Self.apart(
            known, sounds, lasting: after.soundSpan, .milliseconds(isAnother ? 80 : 40))
        #expect(apart.count <= (isAnother ? max(16, after.rate * 12 / 10) : 8), "\(apart) ms apart: \(comment)")
        let longest = max(Self.longestLateness(of: pictures), Self.longestLateness(of: sounds))
        let limit = isAnother ? Nanoseconds.milliseconds(2_500) + after.stampInterval * 2 : .milliseconds(1_500)
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
    /// it is more than `most`. Sound that comes too late is not heard.
    /// - Parameter span: how long a unit of sound lasts.
    private static func apart(
        _ pictures: [Unit], _ sounds: [Unit], lasting span: Nanoseconds, _ most: Nanoseconds = .milliseconds(40)
    ) -> (apart: [Int64], compared: Int) {
        let sounds = sounds.filter { $0.read - $0.due < delay }.sorted { $0.due < $1.due }
        var (index, apart, compared) = (0, [Int64](), 0)
        for picture in pictures.sorted(by: { $0.due < $1.due }) {
            while index + 1 < sounds.count, sounds[index + 1].due <= picture.due { index += 1 }
            guard index < sounds.count, (.zero..<span).contains(picture.due - sounds[index].due) else {
                continue
            }
            compared += 1
            let difference = picture.base - sounds[index].base
            if difference.magnitude > most { apart.append(difference.milliseconds) }
        }
        return (apart, compared)
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
