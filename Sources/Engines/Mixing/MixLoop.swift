// SPDX-License-Identifier: Apache-2.0
import Buffers
import Codecs
import Media
import Sound
import System
import Time

/// The audio thread's own state. Plays the session attached last; rule 2's mixing of several comes with the stage's
/// regions.
final class MixLoop {
    private static let nap = Nanoseconds.milliseconds(200)

    private let makeOutput: @Sendable () throws -> any SoundOutput
    private let commands: Mailbox<Mixer.Command>
    private let wakeup: Wakeup
    private let published: LatestValue<MixerCounters>
    private var counters = MixerCounters()
    private var queue: AudioQueue?
    private var decoder: AudioDecoder?
    private var stream = 0

    init(
        _ makeOutput: @escaping @Sendable () throws -> any SoundOutput, commands: Mailbox<Mixer.Command>,
        wakeup: Wakeup, counters: LatestValue<MixerCounters>
    ) {
        self.makeOutput = makeOutput
        self.commands = commands
        self.wakeup = wakeup
        published = counters
    }

    func run(until stopping: StopFlag) {
        var output: any SoundOutput = NullSound()
        do {
            output = try makeOutput()
        } catch {
            counters.outputErrors += 1  // a box without sound still shows pictures
        }
        while !stopping.isRaised {
            for command in commands.takeAll() { perform(command) }
            while let queue, queue.take({ unit, bytes in play(unit, bytes, to: &output) }) {}
            published.set(counters)
            wakeup.wait(until: SystemClock.monotonic() + Self.nap)
        }
        do {
            try output.close()
        } catch {
            counters.outputErrors += 1
        }
        published.set(counters)
    }

    private func perform(_ command: Mixer.Command) {
        switch command {
        case .attach(let new):
            queue = new
            decoder = nil
        case .detach(let session):
            guard queue?.session == session else { return }
            queue = nil
            decoder = nil
        }
    }

    private func play(_ unit: AudioUnit, _ bytes: UnsafeRawBufferPointer, to output: inout any SoundOutput) {
        do {
            if decoder == nil || stream != unit.stream {
                stream = unit.stream
                decoder = try AudioDecoder(unit.codec)
            }
            try decoder?.send(unit, bytes)
            counters.unitsDecoded += 1
            try decoder?.receive { block in
                do {
                    try output.write(block)
                    counters.framesWritten += Int64(block.frames)
                } catch {
                    counters.outputErrors += 1
                }
            }
        } catch {
            counters.decodeErrors += 1
        }
    }
}
