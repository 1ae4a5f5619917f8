// SPDX-License-Identifier: Apache-2.0
import Buffers
import Sound
import Time

/// The audio thread's own state. The output sets the pace: each of its periods is mixed for the instant at which it will
/// be heard. Without an output sound goes on unheard, and one is looked for once a second.
final class MixLoop {
    private let makeOutput: @Sendable () throws -> any SoundOutput
    private let commands: Mailbox<Mixer.Command>
    private let published: LatestValue<MixerCounters>
    private let mix = SoundMix()
    private let samples: UnsafeMutableBufferPointer<Float>
    private let clock: any PacingClock
    private var output: any SoundOutput
    private var isWithoutOutput = true
    private var framesToRetry = 0
    private var framesWritten: Int64 = 0
    private var outputErrors: Int64 = 0
    private var underruns: Int64 = 0
    private var outputUnderruns: Int64 = 0

    init(
        _ makeOutput: @escaping @Sendable () throws -> any SoundOutput, commands: Mailbox<Mixer.Command>,
        counters: LatestValue<MixerCounters>, clock: any PacingClock = SystemPacingClock()
    ) {
        self.makeOutput = makeOutput
        self.clock = clock
        output = NullSound(clock: clock)
        self.commands = commands
        published = counters
        samples = .allocate(capacity: SoundMix.largestPeriod * 2)
        samples.initialize(repeating: 0)
    }

    deinit { samples.deallocate() }

    func run(until stopping: StopFlag) {
        while !stopping.isRaised {
            if isWithoutOutput && framesToRetry <= 0 { open() }
            for command in commands.takeAll() { mix.perform(command) }
            step()
            publish()
        }
        output = NullSound(clock: clock)  // closes the other
        publish()
    }

    private func open() {
        framesToRetry = MixerInput.sampleRate
        do {
            use(try converted(makeOutput()))
            isWithoutOutput = false
        } catch {
            outputErrors += 1  // a box without sound still shows pictures
        }
    }

    private func converted(_ output: any SoundOutput) throws -> any SoundOutput {
        output.sampleRate == MixerInput.sampleRate ? output : try RateConvertedSound(output)
    }

    private func use(_ new: any SoundOutput) {
        output = new
        outputUnderruns = new.underruns
        mix.beginAgain()
    }

    private func step() {
        let frames = min(max(1, output.period), SoundMix.largestPeriod)
        let period = UnsafeMutableBufferPointer(rebasing: samples[..<(2 * frames)])
        framesToRetry -= frames
        let began = clock.now()
        do throws(SoundError) {
            mix.fill(period, at: try output.nextAudible())
            try output.write(UnsafeBufferPointer(period))
            framesWritten += Int64(frames)
        } catch {
            outputErrors += 1
            if case .failed = error { return wait(frames, from: began) }
            isWithoutOutput = true
            framesToRetry = MixerInput.sampleRate
            use(NullSound(clock: clock))
        }
        let dry = output.underruns - outputUnderruns
        guard dry > 0 else { return }
        underruns += dry
        outputUnderruns += dry
        mix.beginAgain()
    }

    /// An output that fails need not have waited, and nobody else runs while this thread does.
    private func wait(_ frames: Int, from began: Monotonic) {
        let end = began + Nanoseconds(Int64(frames) * 1_000_000_000 / Int64(MixerInput.sampleRate))
        if clock.now() < end { clock.sleep(until: end) }
    }

    private func publish() {
        var counters = mix.counters
        counters.framesWritten = framesWritten
        counters.underruns = underruns
        counters.outputErrors = outputErrors
        counters.isWithoutOutput = isWithoutOutput ? 1 : 0
        published.set(counters)
    }
}
