// SPDX-License-Identifier: Apache-2.0
import Buffers
import Media
import Sound
import Synchronization
import System

/// The one door to sound: decodes what sessions queue, plays it when it is due and writes the sum to the output, on the
/// audio thread.
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
        case outputsChanged(best: [String])
    }

    /// - Parameters:
    ///   - makeOutput: opens the output, on the audio thread, which then owns it; called again after it threw or its
    ///     output was lost, see `OutputRetry`, until it gives one.
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

    /// Fades out and forgets the session.
    public func detach(session: Int) {
        inputs.withLock { $0[session] = nil }
        commands.post(.detach(session: session))
    }

    /// Linear in amplitude: 100 is 0 dB, 50 is -6 dB, 10 is -20 dB, 0 is silence. Reached in 10 ms, without a click.
    /// - Parameters:
    ///   - volume: 0...100; what lies beyond is cut off.
    ///   - session: one that is attached; nil: the sum of all.
    public func setVolume(_ volume: Int, of session: Int?) { commands.post(.setVolume(volume, session: session)) }

    /// - Parameter session: one that is attached; nil: the sum of all.
    public func setMuted(_ isMuted: Bool, of session: Int?) { commands.post(.setMuted(isMuted, session: session)) }

    /// Cards came or went: an output that is missing is looked for at once.
    /// - Parameter best: names of the one to be played to; another is left for it. None: that in use is as good.
    public func outputsChanged(best: [String]) { commands.post(.outputsChanged(best: best)) }

    /// What is counted and metered of one session; nil when it is not attached.
    public func inputCounters(of session: Int) -> InputCounters? {
        inputs.withLock { $0[session] }?.value
    }

    /// Ends the thread and closes the output.
    public func stop() {
        stopping.raise()
        thread.join()
    }
}
