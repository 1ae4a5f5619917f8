// SPDX-License-Identifier: Apache-2.0
import Buffers
import Display
import Scene
import System

/// Opens the outputs of a stage, with a render loop on each.
/// - Thread: the render thread.
struct OutputOpener {
    /// Frames a second of motion on outputs without a screen.
    let displayRate: Int
    /// Where a card is found.
    let cards: CardSearch
    let contents: StageContents
    let commands: Mailbox<StageCommand>
    let counters: PublishedValue<StageCounters>
    let screen: PublishedValue<ScreenStatus?>
    let regions: RegionCounterTable
    let wakeup: Wakeup
    let report: (StageReport) -> Void

    /// Never throws for an output that is opened `.somehow`.
    func open(_ request: OutputRequest, _ opening: OutputOpening) throws(DisplayError) -> any StageLoop {
        let size = request.size
        switch request.kind {
        case .headless: return loop(on: HeadlessOutput(size: size), rate: nil)
        case .null: return loop(on: NullOutput(size: size), rate: nil)
        case .headlessGLES:
            let device = Result { () throws(DisplayError) in try GLESCompositor(size: size) }
            if opening == .asAsked { _ = try device.get() }
            return loop(on: HeadlessOutput(size: size), rate: nil, by: device)
        case .kms(let mode, let connector, let drawing, let planes, let isMirrored):
            let wakeup = wakeup
            let output: KMSOutput
            do throws(SystemCallError) {
                output = try KMSOutput(
                    size: request.screen, mounting: request.mounting, mode: mode, connector: connector,
                    drawing: drawing, usesPlanes: planes, isMirrored: isMirrored, cards: cards
                ) { wakeup.signal() }
            } catch {
                if opening == .asAsked { throw .missing("the watch over the connectors (\(error))") }
                report(.outputFailed(error.description))
                return loop(on: HeadlessOutput(size: size), rate: nil)
            }
            if opening == .asAsked { try check(output, drawing) }
            return loop(on: output, rate: output.rate, by: output.compositor)
        }
    }

    /// A display that is absent is awaited; a card and a GPU have to be there.
    private func check(_ output: KMSOutput, _ drawing: ScreenDrawing) throws(DisplayError) {
        if let problem = output.problem { throw problem }
        if drawing == .gles { _ = try output.compositor?.get() }
    }

    /// - Parameters:
    ///   - rate: frames a second of the screen; nil if there is none.
    ///   - device: draws the stage by OpenGL ES; nil if the processor draws.
    private func loop<Output: StageOutput & ~Copyable>(
        on output: consuming Output, rate: Int?, by device: Result<GLESCompositor, DisplayError>? = nil
    ) -> any StageLoop {
        let loop = RenderLoop(
            output, rate: rate ?? displayRate, commands: commands, counters: counters, screen: screen,
            regions: regions, contents: contents,
            makeCompositor: { size, rate in
                guard let device else { return Compositor(size: size, rate: rate) }
                return GLESSceneCompositor(size: size, rate: rate) { _ throws(DisplayError) in try device.get() }
            }, report: report)
        return SpecialisedLoop { loop.run(wakeup: $0, until: $1) }
    }
}

/// A render loop that is run where the type of its output is known, so that the compiler makes code for that type. A
/// witness of a generic class's conformance looks for everything at each turn: it took a quarter of the render thread.
private final class SpecialisedLoop: StageLoop {
    private let runs: (Wakeup, _ isEnding: () -> Bool) -> Void

    init(_ runs: @escaping (Wakeup, _ isEnding: () -> Bool) -> Void) { self.runs = runs }

    func run(wakeup: Wakeup, until isEnding: () -> Bool) { runs(wakeup, isEnding) }
}
