// SPDX-License-Identifier: Apache-2.0
import Buffers
import Bytes
import Foundation
import Media
import Synchronization
import TestSupport
import Testing
import Time
import Timelines
import TransportStream
import Venue

@testable import Codecs
@testable import Playback

/// A session of a channel in simulated time: the real reader, intake, controller, playback clock, decoder and outlet. The
/// head-end, the receive thread's clock, the stage and the mixer are the test's.
final class SimulatedPlayback {
    /// 25 pictures a second, and a block of sound with each.
    private static let interval = Nanoseconds.milliseconds(40)
    private static let step = Nanoseconds.milliseconds(5)
    private static let delay = Nanoseconds.milliseconds(200)

    private(set) var now = Monotonic(nanoseconds: 1_000_000_000_000)
    let historySpan: Nanoseconds
    /// What was shown, and heard.
    private(set) var pictures = 0
    private(set) var sounds = 0

    // The head-end and its line.
    var isSending = true
    /// Of a thousand datagrams.
    var lost = 0
    /// What the encoder adds to its time stamps.
    private var restart: Int64 = 0
    private var units = 0
    private var due: Monotonic
    private var multiplexer = TSMultiplexer(.init(provider: "Venue", name: "One"))
    private var random: SplitMix64

    /// How much longer the decoder takes for each picture.
    var hesitation = Nanoseconds.zero
    /// Until when it is busy, as its own thread sees it.
    private var decoded: Monotonic

    private let history: HistoryBuffer
    private let session: PlaybackSession
    private let reports = Reports()
    private var loop: ReadLoop?
    private var video: VideoPath?
    private(set) var controller = PlaybackController()
    private var ticked: Monotonic

    // The stage and the mixer.
    private var pending: TimedFrame?
    private var sound: (time: Monotonic, epoch: Int)?
    private var epochShown: Int?
    private var lastShown: Monotonic?
    private var isStarved = false

    private final class Reports: Sendable {
        private let list = Mutex<[PlaybackReport]>([])
        func add(_ report: PlaybackReport) { list.withLock { $0.append(report) } }
        func take() -> [PlaybackReport] {
            list.withLock { list in
                defer { list = [] }
                return list
            }
        }
    }

    init(seed: UInt64, history span: Nanoseconds) throws {
        random = SplitMix64(seed: seed)
        historySpan = span
        history = HistoryBuffer(span: span + .seconds(1), capacity: 4 << 20)
        due = now
        ticked = now
        decoded = now
        var options = PlaybackSession.Options(delay: Self.delay)
        options.decoders = FakeBench([]).pool
        options.decoding = .software
        let reports = reports
        session = try PlaybackSession(
            id: 1, LiveProvider(history, arrived: Wakeup()), options, pictureWakeup: Wakeup()
        ) { reports.add($0) }
        // This thread is all of its threads.
        session.close()
        session.join()
        _ = reports.take()
        put(.tune(Trace.channel("One")))
        let loop = ReadLoop(session) { [unowned self] in now }
        loop.open()
        self.loop = loop
        video = VideoPath(session, session.decoding) { [unowned self] in decodingTime() }
    }

    var position: PlaybackPosition { session.position.value }
    var delay: Nanoseconds { session.head.value.state.delay }
    var counters: PlaybackCounters { session.counters.value }

    // MARK: What people do

    func put(_ inputs: PlaybackController.Input...) {
        for input in inputs {
            let context = PlaybackContext(now: now, position: session.position.value) { _ in nil }
            for action in controller.handle(input, in: context) {
                if case .perform(1, let command) = action { session.post(command) }
            }
        }
    }

    func seek(_ request: SeekRequest) { put(.seek(request, ticket: 0)) }

    /// As a television or the leader of a group does it.
    func command(_ command: SessionCommand) { session.post(command) }

    /// The encoder begins anew with other time stamps.
    func restartEncoder() { restart = Int64.random(in: 0..<(1 << 33), using: &random) }

    // MARK: Time

    func pass(_ span: Nanoseconds) throws {
        let end = now + span
        while now < end {
            now += Self.step
            try send()
            if now - ticked >= .seconds(1) {
                ticked = now
                put(.tick)
            }
            try read()
            decode()
            show()
            hear()
            for report in reports.take() { put(.report(report)) }
        }
    }

    private func read() throws {
        var turns = 0
        while loop?.turn() == nil {
            turns += 1
            try #require(turns < 100_000, "the reader never waits")
        }
    }

    private func decode() {
        var steps = 0
        while steps < 50, decoded <= now, video?.decodeNext() == true { steps += 1 }
        _ = session.decoding.lease.rest()
    }

    /// The decode thread reads the time some four times for each picture.
    private func decodingTime() -> Monotonic {
        decoded = max(decoded, now) + hesitation / 4
        return decoded
    }

    private func send() throws {
        let film = try DecodeBench.units.get()
        while due <= now {
            defer {
                due += Self.interval
                units += 1
            }
            guard isSending else { continue }
            let stamp = restart &+ Int64(units) * 3_600
            let isPoint = units % 10 == 0
            var out = WireWriter()
            film[units % film.count].withUnsafeBytes {
                multiplexer.writeVideo($0, pts: stamp, isRandomAccess: isPoint, clock: stamp * 300, to: &out)
            }
            // Seven octets that look like ADTS: nobody decodes them.
            [0xFF, 0xF1, 0x4C, 0x80, 0x01, 0x1F, 0xFC].withUnsafeBytes {
                multiplexer.writeAudio($0, pts: stamp, clock: stamp * 300, to: &out)
            }
            let offset = Nanoseconds(due.nanoseconds) - TickRate.mpeg.nanoseconds(stamp & (1 << 33 - 1))
            keep(out.bytes, isPoint: isPoint, offset)
        }
    }

    private func keep(_ octets: [UInt8], isPoint: Bool, _ offset: Nanoseconds) {
        var isFirst = true
        for start in stride(from: 0, to: octets.count, by: 7 * 188) {
            let isKept = Int.random(in: 0..<1_000, using: &random) >= lost
            if isKept {
                _ = octets[start..<min(start + 7 * 188, octets.count)].withUnsafeBytes {
                    history.append($0, arrival: due, flags: isPoint && isFirst ? .randomAccess : [], offset: offset)
                }
            }
            isFirst = false
        }
    }

    // MARK: What is seen and heard

    private func show() {
        let head = session.playbackClock.state
        while true {
            if pending == nil { pending = session.frames.take() }
            guard let (time, epoch, isImmediate) = waiting else { break }
            if epoch == head.epoch {
                guard isImmediate || head.due(time).map({ $0 <= now }) ?? false else { break }
                shown(epoch)
            }
            pending = nil
        }
        let isWaiting = session.frames.expectsPictures && pending == nil && !head.isPaused
        if let lastShown, isWaiting, !isStarved, now - lastShown >= .milliseconds(500) {
            isStarved = true
            put(.starved(session: 1))
        }
        if head.isPaused { lastShown = lastShown.map { _ in now } }
    }

    private var waiting: (time: Monotonic, epoch: Int, isImmediate: Bool)? {
        switch pending {
        case .some(let frame): (frame.time, frame.epoch, frame.isImmediate)
        case .none: nil
        }
    }

    private func shown(_ epoch: Int) {
        pictures += 1
        lastShown = now
        if isStarved {
            isStarved = false
            put(.fed(session: 1))
        }
        if epochShown != epoch {
            epochShown = epoch
            put(.firstPicture(session: 1, epoch: epoch))
        }
    }

    private func hear() {
        let head = session.playbackClock.state
        while true {
            if sound == nil {
                let hasTaken = session.sound.take { unit, _ in
                    guard let pts = unit.pts else { return }
                    sound = (
                        Monotonic(nanoseconds: (TickRate.mpeg.nanoseconds(pts) + unit.offset).count), unit.epoch
                    )
                }
                guard hasTaken else { return }
            }
            guard let (time, epoch) = sound else { continue }
            if epoch == head.epoch {
                guard let due = head.due(time), due <= now else { return }
                if now - due < .milliseconds(100) { sounds += 1 }
            }
            sound = nil
        }
    }
}
