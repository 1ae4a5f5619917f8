// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Time

/// A stage on one screen of a card. It carries out what `ScreenMachine` decides, with two buffers for the canvas and a
/// plane for the video. Without a screen it is a stage in memory.
/// - Thread: the render thread only.
final class ScreenDriver: CardOutput {
    let size: PixelSize
    let clock: () -> Monotonic
    let canvas: ScreenCanvas
    var machine: ScreenMachine
    var commits: CardCommits
    var buffers = SwapChain()
    var video = VideoPlane()
    var flips = PageFlipState()
    var faults = ScreenFaults()
    var pacing: ScreenPacing
    /// Describes the screen in the mode that was set last.
    var label: ScreenLabel?
    /// Whether the card refused to switch the screen off; this is tried again.
    var isLeaving = false
    /// Whether the screen shows something older than what was presented last.
    var isBehind = false
    /// Whether a canvas was composed since the last present.
    private var isComposed = false
    private let poll: (Bool) -> Void

    /// How soon to check again for the end of a modeset or flip that nobody waits for.
    private static let eventPause = Nanoseconds.milliseconds(5)

    /// - Parameters:
    ///   - connector: the only connector to use, by the kernel's name; nil for the first with a display.
    ///   - painter: draws the composed canvas on its card.
    ///   - group: state shared by several screens that show the same stage.
    ///   - poll: requests that a card's connectors are read and `take` is called soon. Its argument says whether to
    ///     probe displays, and to search other cards if this one has none.
    init(
        _ request: ModeRequest, connector: String? = nil, painter: (any ScreenPainter)? = nil,
        in group: (canvas: ScreenCanvas, events: PageFlipEvents)? = nil,
        clock: @escaping () -> Monotonic, poll: @escaping (_ probes: Bool) -> Void
    ) {
        size = request.stage
        machine = ScreenMachine(request, connector: connector, now: clock())
        canvas = group?.canvas ?? ScreenCanvas(request, painter: painter)
        commits = CardCommits(group?.events ?? PageFlipEvents())
        pacing = ScreenPacing(role: group == nil ? .alone : .following)
        self.clock = clock
        self.poll = poll
    }

    deinit { giveBack([]) }

    // MARK: The stage

    func compose<Failure: Error>(
        _ body: (borrowing CanvasBuffer) throws(Failure) -> Void
    ) throws(Failure) {
        isComposed = true
        try canvas.compose(for: machine.isShown ? buffers.current?.next : nil, body)
    }

    func present(now: Monotonic) -> Monotonic {
        if isComposed {
            _ = canvas.present(now: now)
            video.canvasPresented()
        }
        defer { isComposed = false }
        return show(isNew: isComposed) ?? now
    }

    /// Shows the canvas and the video that are presented.
    /// - Parameter isNew: false if both are unchanged since the last time.
    /// - Returns: when it is visible; nil if unknown.
    func show(isNew: Bool = true) -> Monotonic? {
        if flips.isPending { collect() }
        flips.begin()
        commits.pending?.isOutdated = true
        isBehind = flips.isPending
        if isNew, machine.isShown { write() }
        run(.pictureMade)
        faults.report(canvas.takeTrouble())
        return flips.visible
    }

    func readFront<Failure: Error>(
        _ body: (borrowing CanvasBuffer) throws(Failure) -> Void
    ) throws(Failure) -> Bool { try canvas.readFront(body) }

    func attend(now: Monotonic) -> Monotonic? {
        if commits.pending != nil || flips.isPending {
            collect()
        } else if isBehind, machine.isShown {
            isBehind = false
            write()
            run(.pictureMade)
        }
        run(.due)
        if machine.state != .dark { isLeaving = false }
        if isLeaving { release() }
        if isBehind, machine.isShown { return now }
        guard machine.isAwaiting else { return machine.deadline }
        return min(machine.deadline ?? now + Self.eventPause, now + Self.eventPause)
    }

    func follow(content rate: FrameRate?) { run(.contentChanged(rate)) }

    /// Writes the canvas to the buffer that the next flip shows.
    private func write() {
        guard let device = commits.device else { return }
        do throws(DisplayError) {
            try buffers.write(canvas, hole: video.hole, on: device)
        } catch {
            faults.pending = error
        }
    }

    // MARK: The card

    func take(_ news: CardWatch.News) {
        switch news {
        case .snapshot(let snapshot):
            faults.searchSucceeded()
            if commits.device !== snapshot.device {
                giveBack(.nonblocking)
                commits.adopt(snapshot.device)
            }
            commits.keepConnectors(Set(snapshot.connectors.map(\.id)))
            run(.connectorsRead(snapshot.connectors, planes: snapshot.planes, isHotplug: snapshot.isHotplug))
        case .failure(let error):
            faults.searchFailed(error)
            guard commits.device != nil else { return }
            forget()
            run(.cardLost)
        }
    }

    /// Restores the card's previous state, for instance a console, and releases the card.
    func giveBack(_ options: KMSCommit) {
        guard let device = commits.device else { return }
        // If this is refused, the previous contents no longer exist.
        if !commits.restore(options) { release() }
        commits.modesetEnded()
        if pacing.role == .alone { device.dropMaster() }
        forget()
    }

    /// Switches the screen off and frees its buffers, unless the card refuses.
    func release() {
        let driven = commits.driven
        guard commits.disable(leaving: video.leaving(besides: driven.map { [$0.plane] } ?? [])) else {
            // Without a display the screen is dark anyway, but the buffers that it shows must stay.
            return isLeaving = true
        }
        isLeaving = false
        guard driven != nil else { return }
        buffers.removeShown()
        flips.isPending = false
        video.drop()
    }

    /// Drops the card's objects, which cannot be used any more.
    func forget() {
        commits.forget()
        buffers.removeAll()
        (isLeaving, flips.isPending) = (false, false)
        canvas.forgetCard()
        video.drop()
    }

    // MARK: The machine

    /// Performs the machine's actions until it waits.
    func run(_ input: ScreenMachine.Input) {
        var input = input
        while true {
            switch machine.handle(input, now: clock()) {
            case .rest: return
            case .poll(let probes): return poll(probes)
            case .release: return release()
            case .test(let pipeline): input = tested(pipeline)
            case .drive(let pipeline): input = driven(pipeline)
            case .flip: input = flipped()
            }
        }
    }
}
