// SPDX-License-Identifier: Apache-2.0
import Buffers
import Display
import Media
import Scene
import System
import Time

/// What the stage is shown on.
public enum OutputKind: Sendable { case headless, null }

/// The one door to the screen: owns the output and the render thread.
///
/// - Thread: any; commands are carried out in order, reports come on the render thread.
public final class Stage: Sendable {
    public let size: PixelSize
    /// Signal it after putting pictures into a bound queue; `FrameQueue` does.
    public let wakeup = Wakeup()
    public let counters = LatestValue(StageCounters())
    private let commands: Mailbox<StageCommand>
    private let stopping = StopFlag()
    private let thread: DedicatedThread

    public init(
        _ output: OutputKind, size: PixelSize, report: @escaping @Sendable (StageReport) -> Void
    ) throws(SystemCallError) {
        self.size = size
        let wakeup = wakeup
        let counters = counters
        let stopping = stopping
        let commands = Mailbox<StageCommand> { wakeup.signal() }
        self.commands = commands
        thread = try DedicatedThread("render") {
            switch output {
            case .headless:
                RenderLoop(
                    HeadlessOutput(size: size), commands: commands, wakeup: wakeup, counters: counters, report: report
                ).run(until: stopping)
            case .null:
                RenderLoop(
                    NullOutput(size: size), commands: commands, wakeup: wakeup, counters: counters, report: report
                ).run(until: stopping)
            }
        }
    }

    /// - Returns: false when the render thread has not taken a thousand commands; it hangs.
    @discardableResult
    public func post(_ command: StageCommand) -> Bool { commands.post(command) }

    /// Ends the render thread and gives the output back.
    public func stop() {
        stopping.raise()
        wakeup.signal()
        thread.join()
    }
}
