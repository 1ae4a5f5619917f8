// SPDX-License-Identifier: Apache-2.0
import Buffers
import Display
import Media
import Scene
import System
import Time

/// The render thread's own state: the regions, the scene, and when it is shown next. Made and used on that thread only.
final class RenderLoop<Output: StageOutput & ~Copyable> {
    /// Pictures of several regions that are due so near to each other are shown together.
    private static var together: Nanoseconds { .milliseconds(4) }
    private static var tick: Nanoseconds { .milliseconds(500) }

    private let commands: Mailbox<StageCommand>
    private let published: LatestValue<StageCounters>
    private let table: RegionCounterTable
    private let clock: () -> Monotonic
    private let report: (StageReport) -> Void
    let compositor: any SceneCompositor
    private var output: Output
    private var grid: FrameGrid
    private var counters = StageCounters()
    private var layout = StageLayout.fullScreen
    /// Those of the layout, and those of others that have a queue.
    private var regions: [RegionState] = []
    /// Something is to be shown although no region has changed.
    private var hasSceneChanged = false
    /// Which of the output's two canvases is drawn next.
    private var canvas = 0
    private var lastAlive = Monotonic(nanoseconds: 0)

    /// - Parameters:
    ///   - rate: frames a second of the display, for what moves by itself.
    ///   - makeCompositor: of the output's size and that rate.
    ///   - clock: asked for the instants of presentation.
    init(
        _ output: consuming Output, rate: Int, commands: Mailbox<StageCommand>, counters: LatestValue<StageCounters>,
        regions table: RegionCounterTable,
        makeCompositor: (PixelSize, Int) -> any SceneCompositor = { Compositor(size: $0, rate: $1) },
        clock: @escaping () -> Monotonic = SystemClock.monotonic,
        report: @escaping (StageReport) -> Void
    ) {
        grid = FrameGrid(rate: rate)
        compositor = makeCompositor(output.size, grid.rate)
        self.output = output
        self.commands = commands
        published = counters
        self.table = table
        self.clock = clock
        self.report = report
        arrange(.cut, at: lastAlive)
    }

    func run(until stopping: StopFlag, wakeup: Wakeup) {
        while !stopping.isRaised { wakeup.wait(until: step(at: clock())) }
    }

    /// Carries commands out and shows what is due.
    /// - Returns: when to call again, if nothing is posted before.
    func step(at now: Monotonic) -> Monotonic {
        for command in commands.takeAll() { perform(command, at: now) }
        if now - lastAlive >= .seconds(1) {
            lastAlive = now
            report(.alive)
        }
        if compositor.isMoving { grid.run(from: now) } else { grid.stop() }
        let frame = grid.pass(now)
        counters.framesMissed += frame.missed
        if !grid.isRunning || frame.isDue { showWhatIsDue(at: now, isFrame: frame.isDue) }
        return deadline(at: now)
    }

    private func deadline(at now: Monotonic) -> Monotonic {
        var deadline = now + Self.tick
        let starvations = counters.starvations
        for region in regions {
            if let due = region.deadline(at: now, &counters, report) { deadline = min(deadline, due) }
        }
        if counters.starvations != starvations { publish() }
        // Between two frames nothing is shown, and what is due now is no reason to look.
        if let next = grid.next { deadline = max(next, now) }
        return deadline
    }

    // MARK: Commands

    private func perform(_ command: StageCommand, at now: Monotonic) {
        switch command {
        case .setLayout(let new, let transition):
            guard new != layout else { return }
            layout = new
            arrange(output.wantsPictures ? transition : .cut, at: now)
            hasSceneChanged = true
        case .bind(let queue, let name):
            region(named: name)?.bind(queue)
        case .unbind(let session):
            for region in regions where region.queue?.session == session { region.bind(nil) }
            dropUnused()
        case .showSlate(let slate, let name):
            guard let region = region(named: name) else { return }
            region.show(slate)
        case .setOverlay(let picture, let plane):
            compositor.setOverlay(picture, plane)
            hasSceneChanged = true
        case .setTicker(let strip):
            compositor.setTicker(strip)
            hasSceneChanged = true
        case .takeScreenshot(let screenshot):
            // An output that draws nothing has no front: what it would show is drawn for the asker.
            if !output.readFront({ $0.copyTo(screenshot.canvas) }) { compositor.paint(on: screenshot.canvas) }
            report(.screenshotTaken(screenshot))
        }
    }

    /// Gives the layout's regions to the scene.
    private func arrange(_ transition: StageTransition, at now: Monotonic) {
        var names: Set<String> = []
        let shown = layout.drawOrder.filter { names.count < StageLayout.regionLimit && names.insert($0.name).inserted }
        for region in regions { region.isOnStage = names.contains(region.name) }
        dropUnused()
        let pairs = shown.compactMap { region in self.region(named: region.name).map { (region, $0) } }
        for (_, state) in pairs { state.isOnStage = true }
        compositor.setRegions(pairs, transition, at: now)
        publish()
    }

    /// That region, made when there is none. Nil when there are too many that have a queue and no place.
    private func region(named name: String) -> RegionState? {
        if let region = regions.first(where: { $0.name == name }) { return region }
        guard let slot = table.firstFree() else { return nil }
        let region = RegionState(name: name, slot: slot)
        table.set(region.counters, at: slot)
        regions.append(region)
        return region
    }

    /// Forgets regions that nobody sees or feeds.
    private func dropUnused() {
        regions.removeAll { region in
            let isUnused = !region.isOnStage && region.queue == nil
            if isUnused { table.set(nil, at: region.slot) }
            return isUnused
        }
    }

    // MARK: Showing

    /// - Parameter isFrame: what moves by itself moves.
    private func showWhatIsDue(at now: Monotonic, isFrame: Bool) {
        var isDue = isFrame || hasSceneChanged
        for region in regions {
            region.advance(at: now, &counters)
            if region.hasChange { isDue = true }
        }
        guard isDue else { return }
        for region in regions { region.advance(at: now + Self.together, &counters) }
        for region in regions where region.hasChange { compositor.contentChanged(of: region) }
        if isFrame { compositor.advance(to: now) }
        hasSceneChanged = false
        let visible = present()
        for region in regions where region.hasChange { region.settle(at: visible, &counters, report) }
        if let name = layout.regions.first?.name, let main = regions.first(where: { $0.name == name }) {
            counters.presentedPTS = main.counters.presentedPTS
            counters.pictureErrorUs = main.counters.pictureErrorUs
        }
        publish()
    }

    /// - Returns: when it is visible.
    private func present() -> Monotonic {
        if output.wantsPictures {
            output.compose { compositor.compose($0, index: canvas) }
            canvas = 1 - canvas
            noteErrors()
        }
        counters.presentations += 1
        let visible = output.present(now: clock())
        if let fault = output.fault {
            if counters.outputErrors == 0 { report(.outputFailed(fault.description)) }
            counters.outputErrors += 1
        }
        return visible
    }

    private func noteErrors() {
        guard compositor.errors.count != counters.drawErrors else { return }
        if counters.drawErrors == 0, let why = compositor.errors.first { report(.drawFailed(why)) }
        counters.drawErrors = compositor.errors.count
    }

    private func publish() {
        for region in regions { table.set(region.counters, at: region.slot) }
        published.set(counters)
    }
}
