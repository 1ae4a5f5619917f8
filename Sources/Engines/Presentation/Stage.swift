// SPDX-License-Identifier: Apache-2.0
import Buffers
import Display
import Media
import Scene
import System
import Time

/// The picture of the box: it owns the output and the render thread.
///
/// - Thread: any. Commands are executed in order; reports are made on the render thread.
public final class Stage: Sendable {
    private let request: LatestValue<OutputRequest>
    /// Signalled by a bound `FrameQueue` when it has new pictures.
    public let wakeup = Wakeup()
    public let counters = PublishedValue(StageCounters())
    /// Nil if the output has no screen.
    public let screen = PublishedValue<ScreenStatus?>(nil)
    /// Has room for the regions of a layout and as many others that have a queue.
    private let regions = RegionCounterTable(count: 2 * StageLayout.regionLimit)
    /// What the main region showed.
    public let presentations = PresentationLog()
    private let commands: Mailbox<StageCommand>
    private let changes: Mailbox<RenderThread.Change>
    private let stopping = StopFlag()
    private let thread: DedicatedThread

    /// - Parameters:
    ///   - displayRate: frames a second of tickers and cross-fades if no screen gives a rate, 1...240.
    ///   - cards: where a card is found.
    public init(
        _ output: OutputRequest, displayRate: Int = 50, cards: CardSearch = CardSearch(),
        report: @escaping @Sendable (StageReport) -> Void
    ) throws(SystemCallError) {
        let request = LatestValue(output)
        self.request = request
        let (wakeup, counters, screen, regions, stopping) = (wakeup, counters, screen, regions, stopping)
        let presentations = presentations
        let commands = Mailbox<StageCommand> { wakeup.signal() }
        self.commands = commands
        let changes = Mailbox<RenderThread.Change> { wakeup.signal() }
        self.changes = changes
        thread = try DedicatedThread("render") {
            let opener = OutputOpener(
                displayRate: displayRate, cards: cards, contents: StageContents(presentations: presentations),
                commands: commands, counters: counters, screen: screen, regions: regions, wakeup: wakeup,
                report: report)
            RenderThread(output) { wanted, opening throws(DisplayError) -> any StageLoop in
                try opener.open(wanted, opening)
            } changed: { shown, ticket, problem in
                request.set(shown)
                report(.outputChanged(ticket: ticket, problem: problem))
            }.run(changes, wakeup: wakeup, until: stopping)
        }
    }

    /// The size of the stage on the output that shows it.
    public var size: PixelSize { request.value.size }

    /// Whether an output shows the stage to people (SVM-76): a connected screen is on and this process is the DRM master
    /// of its card. A stage that is to be in memory is active there.
    public var isActive: Bool {
        switch request.value.kind {
        case .headless, .headlessGLES: true
        case .kms: screen.value?.isOn ?? false
        case .null: false
        }
    }

    /// Shows the stage on another output from now on. `StageReport.outputChanged` says when, or why the old output shows
    /// it still. Queues, pictures and slates stay; texts for another size are dropped.
    /// - Returns: false if the render thread hangs.
    public func change(to output: OutputRequest, ticket: Int) -> Bool {
        changes.post(RenderThread.Change(request: output, ticket: ticket))
    }

    /// The counters of the layout's regions, and of other regions that have a queue.
    public var regionCounters: [RegionCounters] { regions.all }

    /// - Returns: false if the render thread hangs and a thousand commands wait for it.
    @discardableResult
    public func post(_ command: StageCommand) -> Bool { commands.post(command) }

    /// Shows this card, and nothing else until the stage is stopped (SVM-03).
    /// - Returns: whether an output has presented it within this time.
    public func goOffAir(_ card: Slate, within span: Nanoseconds) -> Bool {
        let shown = Wakeup()
        return post(.goOffAir(card, shown: shown)) && shown.wait(until: SystemClock.monotonic() + span)
    }

    /// Ends the render thread and closes the output.
    public func stop() {
        stopping.raise()
        wakeup.signal()
        thread.join()
    }
}
