// SPDX-License-Identifier: Apache-2.0
import Buffers
import Display
import Media
import Scene
import System
import Time

/// The output on which the stage is shown.
public enum OutputKind: Sendable {
    case headless
    /// Drawn by OpenGL ES, or in software if that fails, which is reported as `drawFailed`.
    case headlessGLES
    /// A screen of the card, or memory while no screen is connected. If OpenGL ES should draw and fails, the stage is
    /// drawn in software, which is reported as `drawFailed`.
    /// - planes: whether a video may have a KMS plane of its own.
    /// - isMirrored: whether every screen of the card shows the stage; it is then drawn by the processor.
    case kms(
        mode: ModePin? = nil, connector: String? = nil, drawing: ScreenDrawing = .automatic, planes: Bool = true,
        isMirrored: Bool = false)
    case null
}

/// The picture of the box: it owns the output and the render thread.
///
/// - Thread: any. Commands are executed in order; reports are made on the render thread.
public final class Stage: Sendable {
    public let size: PixelSize
    /// Signalled by a bound `FrameQueue` when it has new pictures.
    public let wakeup = Wakeup()
    public let counters = PublishedValue(StageCounters())
    /// Nil if the output has no screen.
    public let screen = PublishedValue<ScreenStatus?>(nil)
    /// Has room for the regions of a layout and as many others that have a queue.
    private let regions = RegionCounterTable(count: 2 * StageLayout.regionLimit)
    private let commands: Mailbox<StageCommand>
    private let stopping = StopFlag()
    private let thread: DedicatedThread

    /// - Parameter displayRate: frames a second of tickers and cross-fades if no screen gives a rate, 1...240.
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

    /// The counters of the layout's regions, and of other regions that have a queue.
    public var regionCounters: [RegionCounters] { regions.all }

    /// - Returns: false if the render thread hangs and a thousand commands wait for it.
    @discardableResult
    public func post(_ command: StageCommand) -> Bool { commands.post(command) }

    /// Ends the render thread and closes the output.
    public func stop() {
        stopping.raise()
        wakeup.signal()
        thread.join()
    }
}
