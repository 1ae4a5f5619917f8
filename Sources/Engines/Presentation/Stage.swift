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
    /// A card's screen; memory while there is none. What OpenGL ES should draw, and cannot, is drawn in software, which is
    /// reported as `drawFailed`.
    /// - planes: a video may have one of its own.
    /// - isMirrored: on every screen of the card, by the processor alone.
    case kms(
        mode: ModePin? = nil, connector: String? = nil, drawing: ScreenDrawing = .automatic, planes: Bool = true,
        isMirrored: Bool = false)
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
    /// Of what has none: nil.
    public let screen = LatestValue<ScreenStatus?>(nil)
    /// Beyond those of a layout there is room for as many that have a queue and no place.
    private let regions = RegionCounterTable(count: 2 * StageLayout.regionLimit)
    private let commands: Mailbox<StageCommand>
    private let stopping = StopFlag()
    private let thread: DedicatedThread

    /// - Parameter displayRate: frames a second at which a ticker and a cross-fade move where no screen has one, 1...240.
    public init(
        _ output: OutputKind, size: PixelSize, displayRate: Int = 50,
        report: @escaping @Sendable (StageReport) -> Void
    ) throws(SystemCallError) {
        self.size = size
        let wakeup = wakeup
        let counters = counters
        let screen = screen
        let regions = regions
        let stopping = stopping
        let commands = Mailbox<StageCommand> { wakeup.signal() }
        self.commands = commands
        thread = try DedicatedThread("render") {
            func run<Output: StageOutput & ~Copyable>(
                on output: consuming Output, rate: Int? = nil,
                by makeCompositor: (PixelSize, Int) -> any SceneCompositor = { Compositor(size: $0, rate: $1) }
            ) {
                RenderLoop(
                    output, rate: rate ?? displayRate, commands: commands, counters: counters, screen: screen,
                    regions: regions, makeCompositor: makeCompositor, report: report
                ).run(until: stopping, wakeup: wakeup)
            }
            switch output {
            case .headless: run(on: HeadlessOutput(size: size))
            case .headlessGLES:
                run(on: HeadlessOutput(size: size)) { GLESSceneCompositor(size: $0, rate: $1) }
            case .kms(let mode, let connector, let drawing, let planes, let isMirrored):
                do throws(SystemCallError) {
                    let output = try KMSOutput(
                        size: size, mode: mode, connector: connector, drawing: drawing, usesPlanes: planes,
                        isMirrored: isMirrored
                    ) { wakeup.signal() }
                    guard let compositor = output.compositor else { return run(on: output, rate: output.rate) }
                    run(on: output, rate: output.rate) { size, rate in
                        GLESSceneCompositor(size: size, rate: rate) { _ throws(DisplayError) in try compositor.get() }
                    }
                } catch {
                    report(.outputFailed(error.description))
                    run(on: HeadlessOutput(size: size))
                }
            case .null: run(on: NullOutput(size: size))
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
