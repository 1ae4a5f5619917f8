// SPDX-License-Identifier: Apache-2.0
import Media
import Resampling
import Time

/// The sound of one session on its way to the mixer: decoded blocks with their media times go in, frames for the
/// instant at which they will be heard come out.
///
/// A segment (sound without a gap) begins at its due time to the frame: early sound waits, late sound is skipped. While
/// it plays, only the speed of the resampler keeps it to its due times. A pause, another epoch, an error beyond `jump`,
/// the end of the segment or a lack of blocks end it in a fade; then playback begins again.
struct MixerInput: ~Copyable {
    static let sampleRate = 48_000
    /// The error beyond which playback begins again, instead of changing its speed.
    static let jump = Nanoseconds.milliseconds(40)
    /// Frames that are decoded ahead.
    static let ahead = sampleRate * 150 / 1_000
    /// The difference between the end of a block and the beginning of the next above which it is a gap, not jitter.
    static let gap = Nanoseconds.milliseconds(5)

    private(set) var counters = InputCounters()
    private(set) var isPlaying = false
    /// Epoch of the sound that is playing; nil when nothing plays.
    var playingEpoch: Int? { isPlaying ? marks.current?.epoch : nil }
    private var ring = StereoRing(capacity: 1 << 16)
    private var marks = MediaMarks(capacity: 256)
    private var resampler: AudioResampler?
    private var loop = DriftLoop()
    /// Of the stream's clock, by which the sound that plays is timed.
    private var offset = Nanoseconds.zero
    private var fade = Fade()
    /// Position at which a requested fade ends; nil when none was requested.
    private var stop: Int?
    /// Media time at which the next block continues without a gap; nil when any block begins a segment.
    private var expected: Monotonic?
    private var epoch = 0
    /// Of the playback clock, when playback began.
    private var steps = 0

    /// Frames that wait to be played.
    var count: Int { ring.count }
    var wantsMore: Bool { ring.count < Self.ahead }

    // MARK: In

    /// - Parameters:
    ///   - time: media time of the first frame; nil if the block continues the one before.
    ///   - offset: of the stream's clock, by which the media time is more than the time stamp.
    ///   - epoch: see `PlaybackClock.State.epoch`.
    mutating func append(
        _ block: AudioBlock, at time: Monotonic?, offset: Nanoseconds, epoch: Int
    ) throws(ResamplingError) {
        guard block.frames > 0 else { return }
        guard let start = time ?? expected else {
            counters.skippedFrames += Int64(block.frames)
            return
        }
        let format = SourceFormat(
            sampleRate: block.sampleRate, channels: block.channels, channelMask: block.channelMask)
        let follows =
            resampler?.format == format && epoch == self.epoch
            && expected.map { (start - $0).magnitude <= Self.gap } ?? false
        let resampler = try resampler(for: format, follows: follows)
        self.epoch = epoch
        expected = start + TickRate(Int64(format.sampleRate)).nanoseconds(Int64(block.frames))
        let mark = MediaMarks.Mark(
            position: ring.end, time: start - resampler.delay, offset: offset, epoch: epoch,
            startsSegment: !follows)
        let frames = try resampler.convert(block.samples)
        guard frames.count / 2 <= ring.room, marks.add(mark) else {
            counters.skippedFrames += Int64(frames.count / 2)
            expected = nil
            return
        }
        ring.append(frames)
        marks.drop(before: ring.start)
    }

    /// The next block belongs to another stream, whose clock runs at another speed.
    mutating func beginStream() {
        expected = nil
        loop = DriftLoop()
    }

    private mutating func resampler(
        for format: SourceFormat, follows: Bool
    ) throws(ResamplingError) -> AudioResampler {
        if let resampler, resampler.format == format {
            if !follows { try resampler.reset() }
            return resampler
        }
        expected = nil
        let made = try AudioResampler(from: format)
        made.correction = loop.correction
        resampler = made
        return made
    }

    // MARK: Out

    /// Skips what cannot be heard any more: earlier epochs, and, while nothing plays, sound that is late for `instant`.
    mutating func trim(at instant: Monotonic, _ head: PlaybackClock.State) {
        while !isPlaying, ring.count > 0, let first = marks.current {
            let next = marks.nextSegment(after: ring.start)
            let rest = (next?.position ?? ring.end) - ring.start
            if first.epoch < head.epoch {
                skip(rest)
                continue
            }
            guard first.epoch == head.epoch, let due = due(head) else { return }
            let late = Self.frames(instant - due)
            if late > 0 {
                skip(min(late, rest))
            } else if let next, next.epoch == first.epoch, next.time < first.time {
                skip(rest)  // media time went back: what follows is due before this
            } else {
                return
            }
        }
    }

    /// Fills `samples` (interleaved stereo) with the sound that is heard from `instant` on.
    mutating func read(
        into samples: UnsafeMutableBufferPointer<Float>, at instant: Monotonic, _ head: PlaybackClock.State
    ) {
        let total = samples.count / 2
        if isPlaying { steer(at: instant, head, over: MediaMarks.rate.nanoseconds(Int64(total))) }
        var done = 0
        while done < total {
            let rest = UnsafeMutableBufferPointer(rebasing: samples[(2 * done)...])
            if isPlaying {
                done += play(into: rest)
                continue
            }
            let now = instant + MediaMarks.rate.nanoseconds(Int64(done))
            let silent = min(framesUntilStart(at: now, head, within: total - done) ?? .max, total - done)
            rest.prefix(2 * silent).update(repeating: 0)
            if !head.isPaused { counters.silenceFrames += Int64(silent) }
            done += silent
            if done < total { begin(head) }
        }
    }

    /// Fades out and begins again at the due time. Called when the times of the output have jumped.
    mutating func beginAgain() {
        guard isPlaying, stop == nil else { return }
        stop = ring.start + min(fade.level, ring.count)
    }

    private mutating func steer(at instant: Monotonic, _ head: PlaybackClock.State, over span: Nanoseconds) {
        guard stop == nil else { return }
        guard let current = marks.current, current.epoch == head.epoch, head.steps == steps, let due = due(head) else {
            return beginAgain()
        }
        let error = due - instant
        counters.errorUs = (-error).microseconds
        guard error.magnitude <= Self.jump else { return beginAgain() }
        let step = current.offset - offset
        offset = current.offset
        // By more than a gap it is another timeline, whose time stamps have jumped the other way.
        if step.magnitude <= Self.gap { loop.clockStepped(by: step) }
        loop.update(error: error, over: span)
        // How fast the clock is steered is known; only the rest has to be found out.
        let most = Int(DriftLoop.limit)
        let correction = max(-most, min(most, loop.correction + (head.rate ?? 0)))
        counters.correctionPPB = Int64(correction)
        resampler?.correction = correction
    }

    /// - Returns: frames played; fewer than asked for when silence follows.
    private mutating func play(into samples: UnsafeMutableBufferPointer<Float>) -> Int {
        let end = min(stop ?? .max, marks.nextSegment(after: ring.start)?.position ?? .max, ring.end)
        let remaining = end - ring.start
        let count = min(remaining, samples.count / 2)
        if count > 0, let target = samples.baseAddress {
            ring.copy(count, to: target)
            fade.apply(to: UnsafeMutableBufferPointer(rebasing: samples[..<(2 * count)]), remaining: remaining)
            advance(count)
        }
        isPlaying = count < remaining
        return count
    }

    /// - Returns: frames of silence before the next segment; nil when none begins within the next `frames`.
    private mutating func framesUntilStart(
        at instant: Monotonic, _ head: PlaybackClock.State, within frames: Int
    ) -> Int? {
        trim(at: instant, head)
        guard ring.count > 0, let first = marks.current, first.epoch == head.epoch, let due = due(head) else {
            return nil
        }
        let early = max(0, Self.frames(due - instant))
        guard early < frames else { return nil }
        // Playback does not begin with so little that it would end at once, unless that is the whole segment.
        let isWhole = marks.nextSegment(after: ring.start) != nil
        return isWhole || ring.count >= frames - early + 2 * Fade.length ? early : nil
    }

    private mutating func begin(_ head: PlaybackClock.State) {
        isPlaying = true
        steps = head.steps
        offset = marks.current?.offset ?? .zero
        stop = nil
        fade.restart()
        loop.restart()
        counters.errorUs = 0
    }

    private func due(_ head: PlaybackClock.State) -> Monotonic? {
        marks.time(at: ring.start).flatMap { head.due($0) }
    }

    private mutating func skip(_ frames: Int) {
        counters.skippedFrames += Int64(frames)
        advance(frames)
    }

    private mutating func advance(_ frames: Int) {
        ring.drop(frames)
        marks.drop(before: ring.start)
    }

    /// Frames of a span, rounded to the nearest.
    private static func frames(_ span: Nanoseconds) -> Int {
        let half = Nanoseconds(1_000_000_000 / Int64(2 * sampleRate))
        let ticks = MediaMarks.rate.ticks(span.count < 0 ? span - half : span + half)
        return Int(max(-1 << 40, min(1 << 40, ticks)))
    }
}
