// SPDX-License-Identifier: Apache-2.0
import Buffers
import Codecs
import Media
import Time

/// The path of one session in the mixer: from its queue through decoder, resampler, volume and meter. Audio thread
/// only.
final class InputChain {
    let queue: AudioQueue
    let published: PublishedValue<InputCounters>
    var gain: GainRamp
    /// The session is detached: the chain fades out and is then removed.
    var isLeaving = false
    private(set) var counters = InputCounters()
    private var input = MixerInput()
    private var decoder: AudioDecoder?
    private var stream: Int?
    private var epoch = 0
    private var errorsInARow = 0
    private var framesOutOfTime: Int64 = 0
    private var meter = LevelMeter()

    /// Work within one period at most, counted in dropped units; a decoded unit counts as 64. So a session that is
    /// behind catches up without starving the output.
    private static let workAtOnce = 4_096
    private static let decoding = 64
    /// The media time of a live session is its arrival. A unit further ahead than this has a wrong time, and the input
    /// would wait for it.
    private static let farthest = Nanoseconds.seconds(2)
    /// A decoder is replaced after this many units in a row that gave only errors.
    private static let patience = 50

    init(_ queue: AudioQueue, gain: GainRamp, published: PublishedValue<InputCounters>) {
        self.queue = queue
        self.gain = gain
        self.published = published
    }

    var isPlaying: Bool { input.isPlaying }

    func beginAgain() { input.beginAgain() }

    /// Fills `samples` (interleaved stereo) with the sound that is heard from `instant` on.
    func read(into samples: UnsafeMutableBufferPointer<Float>, at instant: Monotonic) {
        var head = queue.playbackClock.state
        if isLeaving {
            head.pausedAt = instant
        } else {
            decodeAhead(of: instant, head)
        }
        input.read(into: samples, at: instant, head)
        gain.apply(to: samples)
        meter.add(UnsafeBufferPointer(samples))
        publish()
    }

    private func decodeAhead(of instant: Monotonic, _ head: PlaybackClock.State) {
        input.trim(at: instant, head)
        let latest = queue.waitsForRoom ? nil : instant + Self.farthest
        var budget = Self.workAtOnce
        while budget > 0, input.wantsMore {
            let isTaken = queue.take { unit, bytes in
                guard unit.epoch >= head.epoch else { return }
                decode(unit, bytes, latest: latest)
                budget -= Self.decoding
            }
            guard isTaken else { return }
            input.trim(at: instant, head)
            budget -= 1
        }
    }

    /// - Parameter latest: the latest media time that is believed; nil to believe any.
    private func decode(_ unit: AudioUnit, _ bytes: UnsafeRawBufferPointer, latest: Monotonic?) {
        do {
            try prepareDecoder(for: unit)
            try decoder?.send(unit, bytes)
            counters.unitsDecoded += 1
            try decoder?.receive { block in append(block, of: unit, latest: latest) }
            errorsInARow = 0
        } catch {
            counters.decodeErrors += 1
            errorsInARow += 1
            if errorsInARow >= Self.patience { stream = nil }
        }
    }

    private func prepareDecoder(for unit: AudioUnit) throws {
        if stream != unit.stream {
            decoder = nil
            errorsInARow = 0
            stream = unit.stream  // also when this throws: one error for each stream is enough
            input.beginStream()
            decoder = try AudioDecoder(unit.codec, channels: unit.channels)
        } else if epoch != unit.epoch {
            decoder?.flush()
        }
        epoch = unit.epoch
    }

    private func append(_ block: AudioBlock, of unit: AudioUnit, latest: Monotonic?) {
        let time = block.pts.map { Monotonic(nanoseconds: TickRate.mpeg.nanoseconds($0).count) + unit.offset }
        if let time, let latest, time > latest {
            framesOutOfTime += Int64(block.frames)
            return
        }
        do {
            try input.append(block, at: time, offset: unit.offset, epoch: unit.epoch)
        } catch {
            counters.decodeErrors += 1  // a sample format that cannot be resampled
        }
    }

    private func publish() {
        counters.silenceFrames = input.counters.silenceFrames
        counters.skippedFrames = input.counters.skippedFrames + framesOutOfTime
        counters.errorUs = input.counters.errorUs
        counters.correctionPPB = input.counters.correctionPPB
        counters.playingEpoch = input.playingEpoch
        counters.level = meter.level
        published.set(counters)
    }
}
