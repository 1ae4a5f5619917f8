// SPDX-License-Identifier: Apache-2.0
import Buffers
import Sound
import Time

/// The state of the audio thread. The output sets the pace: each of its periods is mixed for the instant at which it
/// will be heard. Without an output sound is mixed and dropped at the same pace, and opening is tried from time to
/// time.
final class MixLoop {
    private let makeOutput: @Sendable () throws -> any SoundOutput
    private let commands: Mailbox<Mixer.Command>
    private let published: PublishedValue<MixerCounters>
    private let mix = SoundMix()
    private let samples: UnsafeMutableBufferPointer<Float>
    private let clock: any PacingClock
    private var output: any SoundOutput
    private var isWithoutOutput = true
    private var retry = OutputRetry()
    private var framesWritten: Int64 = 0
    private var outputErrors: Int64 = 0
    private var underruns: Int64 = 0
    private var outputUnderruns: Int64 = 0
    private var outputsLost: Int64 = 0
    private var outputRetries: Int64 = 0
    /// Name of the output, as published; empty while there is none.
    private var device = ""
    private var isMissingTold = false
    private let report: (MixerReport) -> Void

    init(
        _ makeOutput: @escaping @Sendable () throws -> any SoundOutput, commands: Mailbox<Mixer.Command>,
        counters: PublishedValue<MixerCounters>, clock: any PacingClock = SystemPacingClock(),
        report: @escaping (MixerReport) -> Void = { _ in }
    ) {
        self.makeOutput = makeOutput
        self.clock = clock
        self.report = report
        output = NullSound(clock: clock)
        self.commands = commands
        published = counters
        samples = .allocate(capacity: SoundMix.largestPeriod * 2)
        samples.initialize(repeating: 0)
    }

    deinit { samples.deallocate() }

    func run(until stopping: StopFlag) {
        while !stopping.isRaised {
            for command in commands.takeAll() {
                switch command {
                case .outputsChanged(let best): outputsChanged(best)
                case .reopen: reopen()
                default: mix.perform(command)
                }
            }
            if isWithoutOutput, retry.isDue(at: clock.now()) { open() }
            step()
            publish()
        }
        output = NullSound(clock: clock)  // closes the output
        publish()
    }

    private func open() {
        do {
            use(try converted(makeOutput()))
            isWithoutOutput = false
            isMissingTold = false
            device = output.name
            retry.wasOpened(at: clock.now())
            report(.outputOpened(device))
        } catch {
            outputErrors += 1  // a box without sound still shows pictures
            outputRetries += 1
            missOutput(why: "\(error)")
        }
    }

    private func missOutput(why: String) {
        retry.failed(at: clock.now())
        if !isMissingTold { report(.withoutOutput(why: why)) }
        isMissingTold = true
    }

    private func outputsChanged(_ best: [String]) {
        retry.hinted()
        guard !isWithoutOutput, !best.isEmpty, !best.contains(output.name) else { return }
        leaveOutput()  // at once, because both may be PCMs of one card
    }

    private func reopen() {
        retry.hinted()
        if !isWithoutOutput { leaveOutput() }
    }

    private func leaveOutput() {
        isWithoutOutput = true
        device = ""
        use(NullSound(clock: clock))
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
        let began = clock.now()
        do throws(SoundError) {
            mix.fill(period, at: try output.nextAudible())
            try output.write(UnsafeBufferPointer(period))
            framesWritten += Int64(frames)
        } catch {
            outputErrors += 1
            if case .failed = error { return wait(frames, from: began) }
            outputsLost += 1
            leaveOutput()
            missOutput(why: error.description)
        }
        let dry = output.underruns - outputUnderruns
        guard dry > 0 else { return }
        underruns += dry
        outputUnderruns += dry
        mix.beginAgain()
    }

    /// A failing output may not have waited, and this thread would keep all others from the processor.
    private func wait(_ frames: Int, from began: Monotonic) {
        let end = began + Nanoseconds(Int64(frames) * 1_000_000_000 / Int64(MixerInput.sampleRate))
        if clock.now() < end { clock.sleep(until: end) }
    }

    private func publish() {
        var counters = mix.counters
        counters.framesWritten = framesWritten
        counters.underruns = underruns
        counters.outputErrors = outputErrors
        counters.outputsLost = outputsLost
        counters.outputRetries = outputRetries
        counters.device = device
        counters.isWithoutOutput = isWithoutOutput ? 1 : 0
        published.set(counters)
    }
}
