// SPDX-License-Identifier: Apache-2.0
import System
import Time

@testable import Sound

/// A card whose crystal is the test's clock, and whose driver has the faults that it is given.
final class FakeCard: PCMDevice {
    enum Act { case suspend(resumes: Bool), vanish, freeze }

    let name = "fake"
    let sampleRate = 48_000
    let format = PCM.SampleFormat.float
    private(set) var period: Int
    private(set) var buffer: Int
    /// Frames by which the pointer moves that it shows.
    var granularity = 1
    var partsPerMillion: Int64 = 0
    /// Takes what comes and plays nothing of it.
    var takesEverything = false
    /// Is dry as soon as it is started.
    var isBroken = false
    /// What happens when, soonest first.
    var acts: [(at: Monotonic, act: Act)] = []
    /// Left, in the order in which it was heard; what did not come is not there.
    private(set) var heard: [Float] = []
    private(set) var calls = 0
    private(set) var prepared = 0

    private enum State { case idle, prepared, running, dry, suspended(until: Monotonic?), frozen, gone }

    private let clock: ManualClock
    private var state = State.idle
    private var pending: [Float] = []
    private var startedAt = Monotonic(nanoseconds: 0)
    private var written = 0
    private var played = 0

    init(_ clock: ManualClock, period: Int = 480, buffer: Int = 2_400) {
        self.clock = clock
        self.period = period
        self.buffer = buffer
    }

    /// When the next frame written will be heard, in truth.
    var truth: Monotonic { startedAt + nominal(written) }

    func prepare() throws(SoundError) {
        move()
        if case .gone = state { throw .lost(SystemCallError("snd_pcm_prepare fake", .noDevice)) }
        prepared += 1
        (state, written, played, pending) = (.prepared, 0, 0, [])
    }

    func start() throws(SoundError) {
        guard case .prepared = state else { return }
        startedAt = clock.now()
        state = isBroken ? .dry : .running
    }

    func resume() -> PCM.Resumption {
        guard case .suspended(let until) = state else { return .never }
        guard let until else { return .never }
        guard clock.now() >= until else { return .notYet }
        startedAt = clock.now() - nominal(played)
        state = .running
        return .done
    }

    func write(_ bytes: UnsafeRawPointer, frames: Int) throws(SoundError) -> PCM.Written {
        calls += 1
        move()
        switch state {
        case .gone: throw .lost(SystemCallError("snd_pcm_writei fake", .noDevice))
        case .idle, .dry: return .underrun
        case .suspended: return .suspended
        case .frozen: return .full
        case .prepared, .running: break
        }
        let count = takesEverything ? frames : min(frames, room)
        guard count > 0 else { return .full }
        let samples = bytes.assumingMemoryBound(to: Float.self)
        for frame in 0..<count { pending.append(samples[2 * frame]) }
        written += count
        return .frames(count)
    }

    func waitForRoom(milliseconds: CInt) {
        calls += 1
        if case .frozen = state, takesEverything { return }  // says at once that there is room
        let end = clock.now() + .milliseconds(Int64(milliseconds))
        while clock.now() < end {
            move()
            guard case .running = state else {
                if case .frozen = state { clock.sleep(until: end) }
                return
            }
            if room >= period { return }
            clock.pass(.microseconds(250))
        }
    }

    func resize(to sizes: PCMSizes) throws(SoundError) {
        state = .idle
        period = sizes.period(at: sampleRate)
        buffer = sizes.buffer(at: sampleRate)
    }

    func delay() -> PCM.Delay? {
        move()
        guard case .running = state else { return nil }
        return PCM.Delay(frames: takesEverything ? 0 : written - shown, at: nil)
    }

    private var shown: Int { played / granularity * granularity }
    private var room: Int { buffer - (written - shown) }

    private func nominal(_ frames: Int) -> Nanoseconds {
        Nanoseconds(Int64(frames) * 1_000_000_000 / 48_000 * 1_000_000 / (1_000_000 + partsPerMillion))
    }

    /// Plays what was due.
    private func move() {
        let now = clock.now()
        play(until: now)
        while let next = acts.first, next.at <= now {
            acts.removeFirst()
            switch next.act {
            case .suspend(let resumes): state = .suspended(until: resumes ? now + .milliseconds(30) : nil)
            case .vanish: state = .gone
            case .freeze: state = .frozen
            }
        }
    }

    private func play(until now: Monotonic) {
        guard case .running = state, !takesEverything else { return }
        let passed = (now - startedAt).count
        let due = Int(passed / 1_000 * (1_000_000 + partsPerMillion) / 1_000_000 * 48 / 1_000)
        let count = min(due, written) - played
        if count > 0 {
            heard += pending.prefix(count)
            pending.removeFirst(count)
            played += count
        }
        if due > written { state = .dry }
    }
}
