// SPDX-License-Identifier: Apache-2.0
import Buffers
import Foundation
import Media
import Synchronization
import System
import Testing
import Time
import Timelines

@testable import Codecs
@testable import Playback

/// A session's decode thread without the thread: coded pictures in, those for the stage out. Devices have time of their
/// own, which passes while one is waited for.
final class DecodeBench {
    /// 40 units of H.264, a random-access point at each tenth, 25 pictures a second.
    static let units = Result { () throws -> [[UInt8]] in try DecodeBench.accessUnits(of: "forward.h264") }

    let devices: FakeBench
    let session: PlaybackSession
    /// Presentation times in the order in which they came, but for the one shown ahead of its time.
    private(set) var shown: [Int64] = []
    private(set) var longestPause = Nanoseconds.zero
    private let told = Told()
    private let codec: Codec
    /// Units of H.264; nil: `units`.
    private let film: [[UInt8]]?
    private var video: VideoPath?
    /// What had been counted when it ended.
    private var lastCounters = DecodingCounters()
    private var lastAt: Monotonic
    private var stream = 1
    private var time: Int64 = 0
    private var point = 0
    private let correlation: StreamCorrelation

    private final class Told: Sendable {
        let openings = Mutex<[LadderDecoder.Opening]>([])
        let unsupported = Mutex<[String]>([])
    }

    /// - Parameters:
    ///   - codec: H.264, or FWHT as the fake devices have it.
    ///   - early: of the first unit, by the devices' clock.
    ///   - film: units of H.264; nil: `units`.
    ///   - showsDamage: see `PlaybackSession.Options`.
    init(
        _ devices: FakeBench, _ choice: DecodingLadder.Choice = .auto, of codec: Codec = .h264,
        early: Nanoseconds = .seconds(1_000), film: [[UInt8]]? = nil, showsDamage: Bool = true
    ) throws {
        self.devices = devices
        self.codec = codec
        self.film = film
        let clock = devices.clock
        correlation = StreamCorrelation(offset: Nanoseconds(clock.now.nanoseconds) + early)
        lastAt = devices.clock.now
        var options = PlaybackSession.Options(delay: .zero)
        options.decoders = devices.pool
        options.decoding = choice
        options.showsDamage = showsDamage
        let told = told
        session = try PlaybackSession(
            id: 1, LiveProvider(HistoryBuffer(span: .seconds(1), capacity: 1 << 20), arrived: Wakeup()), options,
            pictureWakeup: Wakeup()
        ) { report in
            switch report {
            case .decoderChanged(1, let opening): told.openings.withLock { $0.append(opening) }
            case .streamUnsupported(1, let what): told.unsupported.withLock { $0.append(what) }
            default: return
            }
        }
        // This thread is its decode thread.
        session.close()
        session.join()
        video = VideoPath(session, session.decoding) { clock.now }
    }

    /// - Parameter name: of a film of `CodecsTests` with access unit delimiters.
    static func accessUnits(of name: String) throws -> [[UInt8]] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../CodecsTests/Vectors/\(name)").standardizedFileURL
        let stream = [UInt8](try Data(contentsOf: file))
        let starts = stream.indices.dropLast(5).filter { stream[$0..<$0 + 5].elementsEqual([0, 0, 0, 1, 9]) }
        return zip(starts, starts.dropFirst() + [stream.count]).map { Array(stream[$0..<$1]) }
    }

    var openings: [LadderDecoder.Opening] { told.openings.withLock { $0 } }
    var unsupported: [String] { told.unsupported.withLock { $0 } }
    var counters: DecodingCounters { video?.counters ?? lastCounters }

    func end() {
        lastCounters = counters
        video = nil
    }

    /// - Parameters:
    ///   - isPoint: whether it is a random-access point; nil if each tenth is.
    ///   - isAlone: see `AccessUnit`.
    /// - Returns: the time of the unit.
    @discardableResult
    func put(
        _ number: Int, startsAnew: Bool = false, isPoint: Bool? = nil, recovery: Int? = nil, isAlone: Bool = false
    ) throws -> Int64 {
        let unit =
            codec == .fwht
            ? [FakeStream.picture, 1, UInt8(truncatingIfNeeded: number)] : try (film ?? Self.units.get())[number]
        time += 3_600
        let isPoint = isPoint ?? (number % 10 == 0)
        point += isPoint ? 1 : 0
        var picture = AccessUnit(pts: time, dts: time, isRandomAccess: isPoint, isDamaged: false, recovery: recovery)
        picture.isAlone = isAlone
        let entry = CodedPictures.Entry(
            unit: picture, correlation: correlation, codec: codec, stream: stream, startsAnew: startsAnew,
            generation: session.decoding.pictures.generation, beginning: .ofChannel, epoch: 0, point: point)
        #expect(unit.withUnsafeBytes { session.decoding.pictures.put(entry, $0) })
        return time
    }

    func beginStream() { stream += 1 }

    /// As many late pictures of a busy decoder as lead to this step of the overload ladder.
    func climb(to step: OverloadLadder.Step) {
        video?.load = 1_000
        while let video, video.ladder.step < step {
            devices.clock.now = devices.clock.now + .milliseconds(40)
            _ = video.isWanted(lateness: .milliseconds(30), isPoint: true)
        }
    }

    func pause() { moveHead { $0.pause(at: $1) } }

    func play() { moveHead { $0.play(at: $1) } }

    private func moveHead(_ change: (inout PlaybackClockControl, Monotonic) -> Void) {
        session.head.change { head in
            change(&head, devices.clock.now)
            return true
        }
    }

    /// - Parameters:
    ///   - taken: pictures that the stage takes first.
    ///   - load: see `VideoPath`.
    /// - Returns: how many are decoded then.
    func decode(behind taken: Int, load: Int64 = 0) -> Int64 {
        for _ in 0..<taken { _ = session.frames.take() }
        video?.load = load
        let before = counters.framesDecoded
        while video?.decodeNext() ?? false {}
        return counters.framesDecoded - before
    }

    /// - Returns: whether there was anything to do.
    @discardableResult
    func step() -> Bool {
        let hasWorked = video?.decodeNext() ?? false
        while let frame = session.frames.take() {
            if !frame.isImmediate { shown.append(frame.frame.pts) }
            longestPause = max(longestPause, devices.clock.now - lastAt)
            lastAt = devices.clock.now
        }
        return hasWorked
    }

    /// Plays what is there to its end.
    func finish() throws {
        session.decoding.pictures.endGeneration()
        let limit = devices.clock.now + .seconds(60)
        var steps = 0
        while !session.decoding.pictures.isFinished {
            step()
            steps += 1
            try #require(steps < 100_000, "nothing to do, and no end")
            try #require(devices.clock.now < limit, "no end")
        }
    }
}
