// SPDX-License-Identifier: Apache-2.0
import Buffers
import Display
import Media
import Scene
import System
import Time

/// What the stage is shown on.
public enum OutputKind: Sendable {
    case headless
    /// Drawn by OpenGL ES; in software where that cannot be had, which is reported as `drawFailed`.
    case headlessGLES
    case null
}

/// The one door to the screen: owns the output and the render thread.
///
/// - Thread: any; commands are carried out in order, reports come on the render thread.
public final class Stage: Sendable {
    public let size: PixelSize
    /// Signal it after putting pictures into a bound queue; `FrameQueue` does.
    public let wakeup = Wakeup()
    public let counters = LatestValue(StageCounters())
    /// Beyond those of a layout there is room for as many that have a queue and no place.
    private let regions = RegionCounterTable(count: 2 * StageLayout.regionLimit)
    private let commands: Mailbox<StageCommand>
    private let stopping = StopFlag()
    private let thread: DedicatedThread

    /// - Parameter displayRate: frames a second at which a ticker and a cross-fade move, 1...240.
    public init(
        _ output: OutputKind, size: PixelSize, displayRate: Int = 50,
        report: @escaping @Sendable (StageReport) -> Void
    ) throws(SystemCallError) {
        self.size = size
        let wakeup = wakeup
        let counters = counters
        let regions = regions
        let stopping = stopping
        let commands = Mailbox<StageCommand> { wakeup.signal() }
        self.commands = commands
        thread = try DedicatedThread("render") {
            switch output {
            case .headless:
                RenderLoop(
                    HeadlessOutput(size: size), rate: displayRate, commands: commands, counters: counters,
                    regions: regions, report: report
                ).run(until: stopping, wakeup: wakeup)
            case .headlessGLES:
                RenderLoop(
                    HeadlessOutput(size: size), rate: displayRate, commands: commands, counters: counters,
                    regions: regions, makeCompositor: { GLESSceneCompositor(size: $0, rate: $1) }, report: report
                ).run(until: stopping, wakeup: wakeup)
            case .null:
                RenderLoop(
                    NullOutput(size: size), rate: displayRate, commands: commands, counters: counters,
                    regions: regions, report: report
                ).run(until: stopping, wakeup: wakeup)
            }
        }
    }

    /// Of the regions that the layout has, and of those that have a queue.
    public var regionCounters: [RegionCounters] { regions.all }

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
