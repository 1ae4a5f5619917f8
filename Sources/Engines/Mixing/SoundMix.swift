// SPDX-License-Identifier: Apache-2.0
import Buffers
import Media
import Time

/// Sums up the sound of all sessions, one period at a time. Audio thread only.
final class SoundMix {
    private(set) var counters = MixerCounters()
    private var inputs: [InputChain] = []
    private var tone = ToneGenerator()
    private var gain = GainRamp()
    private var limiter = SumLimiter()
    private var meter = LevelMeter()
    private let scratch: UnsafeMutableBufferPointer<Float>
    /// Counts of sessions that have been removed.
    private var before = MixerCounters()

    /// Frames that `fill` takes at most.
    static let largestPeriod = 48_000

    init() {
        scratch = .allocate(capacity: Self.largestPeriod * 2)
        scratch.initialize(repeating: 0)
    }

    deinit { scratch.deallocate() }

    var inputCount: Int { inputs.count }

    func perform(_ command: Mixer.Command) {
        switch command {
        case .attach(let queue, let volume, let isMuted, let published):
            inputs.append(InputChain(queue, gain: GainRamp(volume: volume, isMuted: isMuted), published: published))
        case .detach(let session): forEach(session) { $0.isLeaving = true }
        case .setVolume(let volume, nil): gain.volume = volume
        case .setMuted(let isMuted, nil): gain.isMuted = isMuted
        case .setVolume(let volume, let session?): forEach(session) { $0.gain.volume = volume }
        case .setMuted(let isMuted, let session?): forEach(session) { $0.gain.isMuted = isMuted }
        case .setTone(let new): tone.set(new)
        case .outputsChanged, .reopen: break  // concerns the output only
        }
    }

    /// The times of the output have jumped: every input finds its place again.
    func beginAgain() {
        for input in inputs { input.beginAgain() }
    }

    /// - Parameters:
    ///   - samples: interleaved stereo at 48 kHz, at most `largestPeriod` frames.
    ///   - instant: when the first frame will be heard.
    func fill(_ samples: UnsafeMutableBufferPointer<Float>, at instant: Monotonic) {
        precondition(samples.count <= scratch.count)
        samples.update(repeating: 0)
        let part = UnsafeMutableBufferPointer(rebasing: scratch[..<samples.count])
        for input in inputs {
            input.read(into: part, at: instant)
            for index in samples.indices { samples[index] += part[index] }
        }
        tone.add(to: samples)
        gain.apply(to: samples)
        limiter.apply(to: samples)
        meter.add(UnsafeBufferPointer(samples))
        removeGone()
        count()
    }

    private func forEach(_ session: Int, _ body: (InputChain) -> Void) {
        for input in inputs where input.queue.session == session && !input.isLeaving { body(input) }
    }

    private func removeGone() {
        inputs.removeAll { input in
            guard input.isLeaving && !input.isPlaying else { return false }
            before.add(input.counters)
            return true
        }
    }

    private func count() {
        counters = before
        for input in inputs { counters.add(input.counters) }
        if let first = inputs.first {
            counters.audioErrorUs = first.counters.errorUs
            counters.correctionPPB = first.counters.correctionPPB
        }
        let level = meter.level
        counters.peakCentidecibels = Int64(level.peak)
        counters.rmsCentidecibels = Int64(level.rms)
    }
}

extension MixerCounters {
    fileprivate mutating func add(_ input: InputCounters) {
        unitsDecoded += input.unitsDecoded
        decodeErrors += input.decodeErrors
        silenceFrames += input.silenceFrames
        skippedFrames += input.skippedFrames
    }
}
