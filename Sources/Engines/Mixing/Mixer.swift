// SPDX-License-Identifier: Apache-2.0
import Buffers
import Codecs
import Media
import Sound
import System
import Time

/// The one door to sound: decodes what sessions queue and writes it to the output, on the audio thread.
public final class Mixer: Sendable {
    /// Signalled by sessions after they queued sound.
    public let wakeup = Wakeup()
    public let counters = LatestValue(MixerCounters())
    private let commands: Mailbox<Command>
    private let stopping = StopFlag()
    private let thread: DedicatedThread

    enum Command: Sendable {
        case attach(AudioQueue)
        case detach(session: Int)
    }

    /// - Parameter makeOutput: opens the output; called once, on the audio thread, which then owns it.
    public init(_ makeOutput: @escaping @Sendable () throws -> any SoundOutput) throws(SystemCallError) {
        let (wakeup, counters, stopping) = (wakeup, counters, stopping)
        let commands = Mailbox<Command> { wakeup.signal() }
        self.commands = commands
        thread = try DedicatedThread("audio") {
            MixLoop(makeOutput, commands: commands, wakeup: wakeup, counters: counters).run(until: stopping)
        }
    }

    public func attach(_ queue: AudioQueue) { commands.post(.attach(queue)) }

    public func detach(session: Int) { commands.post(.detach(session: session)) }

    /// Ends the thread and closes the output.
    public func stop() {
        stopping.raise()
        wakeup.signal()
        thread.join()
    }
}
