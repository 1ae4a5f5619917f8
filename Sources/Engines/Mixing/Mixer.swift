// SPDX-License-Identifier: Apache-2.0
import Buffers
import Media
import Sound
import Synchronization
import System

/// Plays the sound of all sessions: decodes what they queue, plays it when it is due and writes the sum to the output.
/// All of it happens on the audio thread.
public final class Mixer: Sendable {
    public let counters = PublishedValue(MixerCounters())
    private let commands = Mailbox<Command>()
    private let inputs = Mutex<[Int: PublishedValue<InputCounters>]>([:])
    private let stopping = StopFlag()
    private let thread: DedicatedThread

    enum Command: Sendable {
        case attach(AudioQueue, volume: Int, isMuted: Bool, PublishedValue<InputCounters>)
        case detach(session: Int)
        case setVolume(Int, session: Int?)
        case setMuted(Bool, session: Int?)
        case setTone(TestTone?)
        case outputsChanged(best: [String])
        case reopen
    }

    /// - Parameters:
    ///   - makeOutput: opens the output on the audio thread, which then owns it. Called again, at the times of
    ///     `OutputRetry`, after it threw or the output was lost.
    ///   - report: called on the audio thread.
    public init(
        _ makeOutput: @escaping @Sendable () throws -> any SoundOutput,
        report: @escaping @Sendable (MixerReport) -> Void = { _ in }
    ) throws(SystemCallError) {
        let (commands, counters, stopping) = (commands, counters, stopping)
        thread = try DedicatedThread("audio", urgency: .paced) {
            MixLoop(makeOutput, commands: commands, counters: counters, report: report).run(until: stopping)
        }
    }

    /// - Parameter volume: 0...100, see `setVolume`.
    public func attach(_ queue: AudioQueue, volume: Int = 100, isMuted: Bool = false) {
        let published = PublishedValue(InputCounters())
        inputs.withLock { $0[queue.session] = published }
        commands.post(.attach(queue, volume: volume, isMuted: isMuted, published))
    }

    /// Fades the session's sound out and removes it.
    public func detach(session: Int) {
        inputs.withLock { $0[session] = nil }
        commands.post(.detach(session: session))
    }

    /// Volume is linear in amplitude: 100 is 0 dB, 50 is -6 dB, 10 is -20 dB, 0 is silence. It is reached in 10 ms,
    /// without a click.
    /// - Parameters:
    ///   - volume: 0...100; values beyond are clamped.
    ///   - session: an attached session; nil for the sum of all.
    public func setVolume(_ volume: Int, of session: Int?) { commands.post(.setVolume(volume, session: session)) }

    /// - Parameter session: an attached session; nil for the sum of all.
    public func setMuted(_ isMuted: Bool, of session: Int?) { commands.post(.setMuted(isMuted, session: session)) }

    /// Adds a tone to the sum of all sessions, before its volume and muting; nil ends it.
    public func setTone(_ tone: TestTone?) { commands.post(.setTone(tone)) }

    /// To be called when cards came or went: a missing output is looked for at once.
    /// - Parameter best: names of the preferred output; another one in use is closed for it. Empty to keep the one in
    ///   use.
    public func outputsChanged(best: [String]) { commands.post(.outputsChanged(best: best)) }

    /// Closes the output and opens it once more, which may then be another one.
    public func reopen() { commands.post(.reopen) }

    /// Counters and level of one session; nil when it is not attached.
    public func inputCounters(of session: Int) -> InputCounters? {
        inputs.withLock { $0[session] }?.value
    }

    /// Ends the thread, waits for it and closes the output.
    public func stop() {
        stopping.raise()
        thread.join()
    }
}
