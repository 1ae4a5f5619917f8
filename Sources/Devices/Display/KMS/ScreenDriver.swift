// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Time

/// A stage on one screen of a card: does what `ScreenMachine` decides, by commits, with two buffers for the canvas and
/// a plane for the video. Without a screen it is a stage in memory.
/// - Thread: the render thread's alone.
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
    /// Of the mode that was set last.
    var label: ScreenLabel?
    /// True if the card refused to switch the screen off, which is tried again.
    var isLeaving = false
    /// True if the screen shows something older than what was presented last.
    var isBehind = false
    /// True if a canvas was composed since the last present.
    private var isComposed = false
    private let poll: (Bool) -> Void

    /// How soon to look again whether a modeset or a flip is done that nobody waits for.
    private static let eventPause = Nanoseconds.milliseconds(5)

    /// - Parameters:
    ///   - connector: the only one to use, by the kernel's name; nil for the first with a display.
    ///   - painter: draws on its card what is given to `compose`.
    ///   - group: what several screens share that show the same stage.
    ///   - poll: has a card's connectors read and `take` called, soon; with or without probing displays, and searching
    ///     other cards if this one has none.
    init(
        _ request: ModeRequest, connector: String? = nil, painter: (any ScreenPainter)? = nil,
        in group: (canvas: ScreenCanvas, events: PageFlipEvents)? = nil,
        clock: @escaping () -> Monotonic, poll: @escaping (_ probes: Bool) -> Void
    ) {
        size = request.size
        machine = ScreenMachine(request, connector: connector, now: clock())
        canvas = group?.canvas ?? ScreenCanvas(size: request.size, painter: painter)
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

    /// Shows what the canvas presents.
    /// - Parameter isNew: false if it is what it was the last time.
    /// - Returns: when it is visible; nil if that is not known.
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

    /// Writes the canvas on the buffer that the next flip shows.
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
            run(.connectorsRead(snapshot.connectors, planes: snapshot.planes, isHotplug: snapshot.isHotplug))
        case .failure(let error):
            faults.searchFailed(error)
            guard commits.device != nil else { return }
            forget()
            run(.cardLost)
        }
    }

    /// Restores what the card showed before, a console for instance, and leaves it.
    func giveBack(_ options: KMSCommit) {
        guard let device = commits.device else { return }
        // Where that is refused, what was shown is gone itself.
        if !commits.restore(options) { release() }
        commits.modesetEnded()
        if pacing.role == .alone { device.dropMaster() }
        forget()
    }

    /// Has the screen show nothing any more.
    func release() {
        let driven = commits.driven
        guard commits.disable(leaving: video.leaving(besides: driven.map { [$0.plane] } ?? [])) else {
            // Without a display it is dark anyway, but the buffers that it shows must not go.
            return isLeaving = true
        }
        isLeaving = false
        guard driven != nil else { return }
        buffers.removeShown()
        flips.isPending = false
        video.drop()
    }

    /// The card's objects are of no use any more.
    func forget() {
        commits.forget()
        buffers.removeAll()
        (isLeaving, flips.isPending) = (false, false)
        canvas.forgetCard()
        video.drop()
    }

    // MARK: The machine

    /// Does what the machine decides until it waits.
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
