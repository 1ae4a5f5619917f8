// SPDX-License-Identifier: Apache-2.0
import Buffers
import Display
import Media
import Scene
import System
import Time

/// The loop of the render thread: executes commands, advances the regions and presents what is due.
/// - Thread: the render thread.
final class RenderLoop<Output: StageOutput & ~Copyable> {
    /// Without vblanks, pictures of several regions that are due within this time are presented together.
    private static var together: Nanoseconds { .milliseconds(4) }
    private static var tick: Nanoseconds { .milliseconds(500) }

    private let commands: Mailbox<StageCommand>
    /// Room for the commands of one step, kept so that a command allocates nothing in this thread.
    private var taken: [StageCommand] = []
    private let published: PublishedValue<StageCounters>
    private let publishedScreen: PublishedValue<ScreenStatus?>
    private let table: RegionCounterTable
    private let clock: () -> Monotonic
    private let report: (StageReport) -> Void
    let compositor: any SceneCompositor
    private var output: Output
    /// Paces motion while vblanks are absent or not known.
    private var grid: FrameGrid
    private var pacer = Pacer()
    /// Whether the last present was a frame of motion that continues.
    private var wasMoving = false
    /// The content's frame rate that was last given to the output.
    private var followedRate: FrameRate?
    private let contents: StageContents
    /// The counts of the outputs before this one.
    private let before: StageCounters
    /// Whether a present is needed although no region has changed.
    private var hasSceneChanged = false
    /// The index of the output's canvas that is drawn next.
    private var canvas = 0
    /// Whether the output shows a region's picture on a plane below the canvas.
    private var isVideoBelow = false
    /// The region whose picture was last offered to the output for a plane.
    private weak var offered: RegionState?
    /// The last reported reason why pictures had to be copied from their decoder's memory.
    private var importRefusal: String?
    /// The pinned modes that are not shown, by connector, as last reported.
    private var pins: [String: String] = [:]
    private var lastAlive = Monotonic(nanoseconds: 0)

    /// - Parameters:
    ///   - rate: frames a second at which motion is drawn without vblanks.
    ///   - contents: what the output shows; the loop of the output before has ended.
    ///   - makeCompositor: called with the output's size and that rate.
    ///   - clock: reads the current time; called at each present.
    init(
        _ output: consuming Output, rate: Int, commands: Mailbox<StageCommand>, counters: PublishedValue<StageCounters>,
        screen: PublishedValue<ScreenStatus?> = PublishedValue(nil), regions table: RegionCounterTable,
        contents: StageContents = StageContents(),
        makeCompositor: (PixelSize, Int) -> any SceneCompositor = { Compositor(size: $0, rate: $1) },
        clock: @escaping () -> Monotonic = SystemClock.monotonic,
        report: @escaping (StageReport) -> Void
    ) {
        grid = FrameGrid(rate: rate)
        compositor = makeCompositor(output.size, grid.rate)
        self.output = output
        self.commands = commands
        published = counters
        publishedScreen = screen
        self.table = table
        self.clock = clock
        self.report = report
        self.contents = contents
        before = contents.counters
        hasSceneChanged = contents.isShown
        contents.move(to: self.output.size)
        for plane in OverlayPlane.allCases { compositor.setOverlay(contents[plane], plane) }
        compositor.setTicker(contents.ticker)
        arrange(.cut, at: lastAlive)
    }

    /// See `StageLoop`.
    func run(wakeup: Wakeup, until isEnding: () -> Bool) {
        while !isEnding() { wakeup.wait(until: step(at: clock())) }
    }

    /// Executes commands and presents what is due.
    /// - Returns: when to call again if no command is posted before.
    func step(at now: Monotonic) -> Monotonic {
        commands.takeAll(into: &taken)
        for command in taken { perform(command, at: now) }
        taken.removeAll(keepingCapacity: true)
        let attention = output.attend(now: now)
        if output.lacksVideo { hasSceneChanged = true }
        if now - lastAlive >= .seconds(1) {
            lastAlive = now
            let screen = output.screen
            publishedScreen.set(screen)
            notePins(of: screen)
            report(.alive)
        }
        if let slot = pacer.slot(at: now) {
            grid.stop()
            if slot.opens <= now { showWhatIsDue(at: now, for: slot, isFrame: compositor.isMoving) }
            return deadline(at: now, attention)
        }
        if compositor.isMoving { grid.run(from: now) } else { grid.stop() }
        let frame = grid.pass(now)
        contents.counters.framesMissed += frame.missed
        if !grid.isRunning || frame.isDue { showWhatIsDue(at: now, for: nil, isFrame: frame.isDue) }
        return deadline(at: now, attention)
    }

    /// - Parameter attention: when the output wants `attend` to be called; nil if it does not.
    private func deadline(at now: Monotonic, _ attention: Monotonic?) -> Monotonic {
        // What was shown may have changed the screen's mode.
        if output.lacksVideo { hasSceneChanged = true }
        var deadline = min(now + Self.tick, hasSceneChanged ? now : attention ?? now + Self.tick)
        let starvations = contents.counters.starvations
        let slot = pacer.slot(at: now)
        for region in contents.regions {
            if let due = region.deadline(at: now, by: slot == nil ? nil : pacer, &contents.counters, report) {
                deadline = min(deadline, due)
            }
        }
        if contents.counters.starvations != starvations { publish() }
        if let slot {
            // Changes wait for the slot to open; nothing is shown before it.
            if compositor.isMoving || hasSceneChanged || contents.regions.contains(where: { $0.hasChange }) {
                deadline = min(deadline, slot.opens)
            }
            return slot.opens > now ? max(deadline, slot.opens) : deadline
        }
        // Nothing is shown between two frames of motion, even if it is due.
        if let next = grid.next { deadline = max(next, now) }
        return deadline
    }

    // MARK: Commands

    private func perform(_ command: StageCommand, at now: Monotonic) {
        if contents.offAir != nil {
            if case .takeScreenshot(let screenshot) = command { take(screenshot) }
            return
        }
        switch command {
        case .setLayout(let new, let transition):
            guard new != contents.layout else { return }
            contents.layout = new
            arrange(output.wantsPictures ? transition : .cut, at: now)
            hasSceneChanged = true
        case .bind(let queue, let name):
            region(named: name)?.bind(queue)
        case .unbind(let session):
            for region in contents.regions where region.queue?.session == session { region.bind(nil) }
            dropUnused()
        case .showSlate(let slate, let name):
            guard let region = region(named: name) else { return }
            region.show(slate)
        case .exchange(let name, let otherName):
            guard name != otherName, let one = region(named: name), let other = region(named: otherName) else { return }
            one.exchangePlaces(with: other)
            arrange(.cut, at: now)
            hasSceneChanged = true
        case .setOverlay(let picture, let plane):
            contents.setOverlay(picture, plane)
            compositor.setOverlay(contents[plane], plane)
            hasSceneChanged = true
        case .setTicker(let strip):
            contents.setTicker(strip)
            compositor.setTicker(strip)
            hasSceneChanged = true
        case .setLogo(let logo): contents.setLogo(logo)
        case .takeScreenshot(let screenshot): take(screenshot)
        case .goOffAir(let card, let shown):
            contents.offAir = shown
            showAlone(card, at: now)
        }
    }

    /// Leaves nothing on the stage but one region with this slate. The other regions keep their counters, which are read
    /// when their sessions are closed.
    private func showAlone(_ slate: Slate, at now: Monotonic) {
        for region in contents.regions {
            region.bind(nil)
            region.isOnStage = false
        }
        for plane in OverlayPlane.allCases {
            contents.setOverlay(nil, plane)
            compositor.setOverlay(nil, plane)
        }
        contents.setTicker(nil)
        compositor.setTicker(nil)
        contents.layout = .fullScreen
        let shown = contents.layout.regions.compactMap { region in
            self.region(named: region.name).map { (region, $0) }
        }
        compositor.setRegions(shown, .cut, at: now)
        for (_, state) in shown {
            state.isOnStage = true
            state.show(slate)
        }
        hasSceneChanged = true
    }

    private func take(_ screenshot: Screenshot) {
        // One that was asked for before the stage had its size has no room for it.
        let hasRoom = screenshot.size == output.size
        let screenshot = hasRoom ? screenshot : Screenshot(ticket: screenshot.ticket, size: output.size)
        // An output that draws nothing has no front buffer; the screenshot is drawn for the caller instead.
        if output.readFront({ $0.copyTo(screenshot.canvas) }) {
            compositor.complete(screenshot.canvas)
        } else {
            compositor.paint(on: screenshot.canvas)
        }
        report(.screenshotTaken(screenshot))
    }

    /// Makes the scene show the layout's regions.
    private func arrange(_ transition: StageTransition, at now: Monotonic) {
        var names: Set<String> = []
        let shown = contents.layout.drawOrder.filter {
            names.count < StageLayout.regionLimit && names.insert($0.name).inserted
        }
        for region in contents.regions { region.isOnStage = names.contains(region.name) }
        dropUnused()
        let pairs = shown.compactMap { region in self.region(named: region.name).map { (region, $0) } }
        for (_, state) in pairs { state.isOnStage = true }
        compositor.setRegions(pairs, transition, at: now)
        publish()
    }

    /// The region of this name, created if there is none; nil if all cells of the counter table are taken.
    private func region(named name: String) -> RegionState? {
        if let region = contents.regions.first(where: { $0.name == name }) { return region }
        guard let slot = table.firstFree() else { return nil }
        let region = RegionState(name: name, slot: slot)
        region.setLogo(contents.logo)
        table.set(region.counters, at: slot)
        contents.regions.append(region)
        return region
    }

    /// Removes regions that are neither in the layout nor have a queue.
    private func dropUnused() {
        contents.regions.removeAll { region in
            let isUnused = !region.isOnStage && region.queue == nil
            if isUnused { table.set(nil, at: region.slot) }
            return isUnused
        }
    }

    // MARK: Showing

    /// - Parameters:
    ///   - slot: the vblank of the present; nil if vblanks are not known.
    ///   - isFrame: whether the motion advances by a frame.
    private func showWhatIsDue(at now: Monotonic, for slot: Pacer.Slot?, isFrame: Bool) {
        var isDue = isFrame || hasSceneChanged
        let horizon = Horizon(now: now, vblank: slot.map { ($0.vblank, pacer.clock) })
        for region in contents.regions {
            region.advance(by: horizon, &contents.counters)
            if region.hasChange { isDue = true }
        }
        guard isDue else { return }
        if slot == nil {
            for region in contents.regions { region.advance(by: Horizon(now: now + Self.together), &contents.counters) }
        }
        for region in contents.regions where region.hasChange { compositor.contentChanged(of: region) }
        for plane in OverlayPlane.allCases where contents.follow(plane) {
            compositor.setOverlay(contents[plane], plane)
        }
        if isFrame {
            let visible = slot.map { pacer.clock.time(of: $0.vblank) } ?? now
            compositor.advance(to: now, at: contents.main?.position(at: visible))
        }
        hasSceneChanged = false
        let outcome = present(for: slot, isFrame: isFrame)
        if let shown = contents.main?.presentation(outcome) { contents.presentations.add(shown) }
        for region in contents.regions where region.hasChange { region.settle(outcome, &contents.counters, report) }
        if let main = contents.main {
            contents.counters.presentedPTS = main.counters.presentedPTS
            contents.counters.pictureErrorUs = main.counters.pictureErrorUs
            contents.counters.pacing.pattern = slot == nil ? nil : main.pattern
            if let rate = main.contentRate.rate, rate != followedRate {
                followedRate = rate
                output.follow(content: rate)
            }
        }
        contents.offAir?.signal()
        publish()
    }

    /// - Returns: when the present became visible.
    private func present(for slot: Pacer.Slot?, isFrame: Bool) -> Horizon.Outcome {
        let began = slot == nil ? nil : clock()
        showVideo()
        compose()
        contents.counters.presentations += 1
        let composed = clock()
        var visible = output.present(now: composed)
        if output.lacksVideo {
            // The card refused the plane at the commit, so that the picture is composed after all.
            if let why = output.screen?.planeRefusal { offered?.planeRefused(why, report) }
            output.hideVideo()
            compositor.leaveOut(nil)
            isVideoBelow = false
            compose()
            visible = output.present(now: clock())
        }
        if let fault = output.fault {
            if contents.counters.outputErrors == before.outputErrors { report(.outputFailed(fault.description)) }
            contents.counters.outputErrors += 1
        }
        var outcome = Horizon.Outcome(instant: visible)
        if let slot, let began {
            pacer.took(composed - began)
            let (vblank, passed) = pacer.presented(for: slot, visible: visible)
            outcome = .init(instant: visible, vblank: vblank, span: pacer.clock.span)
            contents.counters.pacing.vblanksMissed += vblank - slot.vblank
            if isFrame, wasMoving { contents.counters.framesMissed += passed }
        }
        wasMoving = slot != nil && compositor.isMoving
        if output.refresh != nil || contents.counters.pacing.refreshMicroHertz != 0 { followOutput() }
        return outcome
    }

    /// Offers the output a region's picture for a plane. If the output refuses it, it is composed.
    private func showVideo() {
        isVideoBelow = false
        guard output.wantsPictures, let tile = compositor.separable, let placement = tile.placement else {
            output.hideVideo()
            return compositor.leaveOut(nil)
        }
        var area: PixelRectangle?
        let isNew = tile.state.hasNewPicture || tile.state !== offered
        tile.state.withPicture { picture, _ in
            area = output.show(picture, isNew: isNew, crop: placement.crop, at: placement.destination)
        }
        offered = tile.state
        isVideoBelow = area != nil
        compositor.leaveOut(area.map { (tile, $0) })
        if area == nil, let why = output.screen?.planeRefusal { tile.state.planeRefused(why, report) }
    }

    private func compose() {
        guard output.wantsPictures, !isVideoBelow || !compositor.isCurrent(index: 1 - canvas) else { return }
        output.compose { compositor.compose($0, index: canvas) }
        canvas = 1 - canvas
        contents.counters.picturesImported = before.picturesImported + compositor.imports.count
        if let why = compositor.imports.refusal, why != importRefusal {
            importRefusal = why
            report(.importRefused(why: why))
        }
        noteErrors()
    }

    private func followOutput() {
        pacer.follow(refresh: output.refresh, flip: output.lastVBlank)
        contents.counters.pacing.refreshMicroHertz = pacer.clock.microHertz
        contents.counters.pacing.vblankJitterUs = pacer.clock.jitter.microseconds
    }

    private func noteErrors() {
        let (count, first) = compositor.errors
        guard before.drawErrors + count != contents.counters.drawErrors else { return }
        if contents.counters.drawErrors == before.drawErrors, let first { report(.drawFailed(first)) }
        contents.counters.drawErrors = before.drawErrors + count
    }

    /// Reports each change of a pinned mode that is not shown, once.
    private func notePins(of screen: ScreenStatus?) {
        guard let screen else { return }
        for one in [screen] + screen.mirrors {
            // An output without a mode shows nothing, and keeps its last report.
            guard one.mode != nil, let connector = one.connector, pins[connector] != one.pinPassedOver else { continue }
            pins[connector] = one.pinPassedOver
            report(.pinPassedOver(connector: connector, pin: one.pinPassedOver, mode: one.mode ?? ""))
        }
    }

    private func publish() {
        for region in contents.regions { table.set(region.counters, at: region.slot) }
        published.set(contents.counters)
        publishedScreen.set(output.screen)
    }
}
