// SPDX-License-Identifier: Apache-2.0
import Glibc
import Media
import Scene
import Time

/// Does on a card what `ScreenMachine` wants done: a stage composed in memory, copied into one of two buffers, and shown
/// by a page flip. Without a screen it is a stage in memory.
/// - Thread: the render thread's alone.
final class ScreenDriver: StageOutput {
    let size: PixelSize
    private(set) var fault: DisplayError?
    private(set) var lastVBlank: Monotonic?
    let clock: () -> Monotonic
    private let poll: (Bool) -> Void
    private(set) var machine: ScreenMachine
    let canvas: ScreenCanvas
    private let events: PageFlipEvents
    /// Alone on its card.
    private let isAlone: Bool
    /// Its flips are waited for; those of other screens are seen to when they are done.
    var paces = true
    /// While a flip is waited for there is time to do something.
    var meanwhile: (() -> Void)?

    private(set) var device: (any KMSDevice)?
    private(set) var driven: DisplayPipeline?
    /// Its connector, mode and display in words; made once, because they are asked for with each picture.
    private(set) var label: (connector: String, mode: String, display: String?)?
    /// Likewise, of the mode that is pinned and is not this one.
    private(set) var passedOver: String?
    /// Of the driven mode's size: the one to be written next, and the one that is shown.
    private(set) var buffers: ScreenCanvas.Buffers?
    /// Of another size, for what is tested.
    private var candidates: ScreenCanvas.Buffers?
    /// Of modes that were given up while they were set: the card may show them yet, and would wait to take them away.
    private var abandoned: [ScreenCanvas.Buffers] = []
    private var pending: PendingModeset?
    /// What is shown is not what was presented last.
    private var isBehind = false
    /// The screen could not be left dark yet.
    private var isLeaving = false
    /// Before it is seen whether a mode is set.
    private static let setPause = Nanoseconds.milliseconds(5)
    /// The only setting of a flip without a video.
    private var flipSetting: [KMSSetting] = []
    private(set) var token: UInt64 = 0
    private var isFlipPending = false
    /// Whether a video may have a plane of its own.
    var usesPlanes = true
    var video = VideoPlane()
    /// A canvas was composed since the last present.
    private var isComposed = false
    /// `buffers.next` has one that was not shown yet.
    private var hasNewCanvas = false
    /// Of the canvas that was presented last: where it is transparent for a video.
    private(set) var hole: PixelRectangle?
    /// The canvas has a hole, and the card did not take the video.
    var lacksVideo = false
    var found = SavedState()
    /// When the picture of the last flip or mode was visible.
    private var visible: Monotonic?
    private var trouble: DisplayError?
    /// Of finding a card; that is tried again and again.
    private var lastFailure: DisplayError?

    /// - Parameters:
    ///   - connector: the only one to be used, by the kernel's name.
    ///   - painter: does what is given to `compose`, on its card.
    ///   - poll: have a card's connectors read, and `take` called, soon; after asking the displays, and the other cards
    ///     where it has none, or not.
    ///   - group: shows the same stage on other screens of the card.
    init(
        _ request: ModeRequest, connector: String? = nil, painter: (any ScreenPainter)? = nil,
        in group: (canvas: ScreenCanvas, events: PageFlipEvents)? = nil,
        clock: @escaping () -> Monotonic, poll: @escaping (_ probes: Bool) -> Void
    ) {
        size = request.size
        machine = ScreenMachine(request, connector: connector, now: clock())
        canvas = group?.canvas ?? ScreenCanvas(size: request.size, painter: painter)
        events = group?.events ?? PageFlipEvents()
        isAlone = group == nil
        self.clock = clock
        self.poll = poll
    }

    deinit { giveBack([]) }

    /// When a flip was last waited for in vain.
    private(set) var lastStall: Monotonic?

    // MARK: Stage

    var wantsPictures: Bool { true }

    func compose<Failure: Error>(
        _ body: (borrowing CanvasBuffer) throws(Failure) -> Void
    ) throws(Failure) {
        isComposed = true
        try canvas.compose(for: machine.isShown ? buffers?.next : nil, body)
    }

    func present(now: Monotonic) -> Monotonic {
        if isComposed {
            _ = canvas.present(now: now)
            hole = video.next?.request.area
            if hole == nil { lacksVideo = false }
        }
        defer { isComposed = false }
        return show(isNew: isComposed) ?? now
    }

    /// Shows what the canvas presents.
    /// - Parameter isNew: it is another one than the last time.
    /// - Returns: when it is visible; nil: nobody knows.
    func show(isNew: Bool = true) -> Monotonic? {
        if isFlipPending { collect() }
        visible = nil
        pending?.isOutdated = true
        isBehind = isFlipPending
        if isNew, machine.isShown { write() }
        run(.pictureMade)
        fault = canvas.takeTrouble() ?? trouble
        trouble = nil
        return visible
    }

    /// - Returns: when to be called again.
    func attend(now: Monotonic) -> Monotonic? {
        if pending != nil || isFlipPending {
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
        return min(machine.deadline ?? now + Self.setPause, now + Self.setPause)
    }

    // MARK: News

    func take(_ news: CardWatch.News) {
        switch news {
        case .snapshot(let snapshot):
            lastFailure = nil
            if device !== snapshot.device {
                giveBack(.nonblocking)
                device = snapshot.device
            }
            run(.connectorsRead(snapshot.connectors, planes: snapshot.planes, isHotplug: snapshot.isHotplug))
        case .failure(let error):
            if error != lastFailure { trouble = error }
            lastFailure = error
            guard device != nil else { return }
            forget()
            run(.cardLost)
        }
    }

    func follow(content rate: FrameRate?) { run(.contentChanged(rate)) }

    // MARK: Actions

    private func run(_ input: ScreenMachine.Input) {
        var input = input
        while true {
            switch machine.handle(input, now: clock()) {
            case .rest: return
            case .poll(let probes): return poll(probes)
            case .release: return release()
            case .test(let pipeline):
                let before = trouble
                input = outcome { device throws(DisplayError) -> ScreenMachine.Input in
                    try self.test(pipeline, on: device)
                }
                if input.isRefused { trouble = before }  // that is what it was for
            case .drive(let pipeline):
                input = outcome { device throws(DisplayError) -> ScreenMachine.Input in
                    try self.drive(pipeline, on: device)
                }
            case .flip:
                let before = trouble
                input = outcome { device throws(DisplayError) -> ScreenMachine.Input in try self.flip(on: device) }
                if input.isRefused, let error = trouble, !error.isOfBusyCard, refuseVideo(error) {
                    (input, trouble) = (.videoRefused, before)
                }
            }
        }
    }

    private func outcome(
        _ action: (any KMSDevice) throws(DisplayError) -> ScreenMachine.Input
    ) -> ScreenMachine.Input {
        guard let device else { return .cardLost }
        do throws(DisplayError) {
            return try action(device)
        } catch {
            trouble = error
            guard error.isOfLostCard else { return .refused }
            forget()
            return .cardLost
        }
    }

    private func test(_ pipeline: DisplayPipeline, on device: any KMSDevice) throws(DisplayError) -> ScreenMachine.Input
    {
        let blob = try device.makeBlob(pipeline.timing.octets)
        defer { device.destroyBlob(blob) }
        let new = try buffers(for: pipeline, on: device).next
        let others = try canvas.test(new, on: device) { framebuffer throws(DisplayError) in
            try commit(
                settings(pipeline, framebuffer: framebuffer, blob: blob), [.testOnly, .allowModeset], on: device)
        }
        if let others { candidates = others }
        return .accepted
    }

    private func drive(_ pipeline: DisplayPipeline, on device: any KMSDevice) throws(DisplayError)
        -> ScreenMachine.Input
    {
        for object in [pipeline.connector, pipeline.crtc, pipeline.plane] { found.note(object, on: device) }
        var new = try buffers(for: pipeline, on: device)
        new.next = try canvas.write(on: new.next, hole: hole, device)
        let blob = try device.makeBlob(pipeline.timing.octets)
        token = events.nextToken()
        isFlipPending = false
        let alone = settings(pipeline, framebuffer: new.next.framebuffer, blob: blob)
        moveVideo(to: pipeline, alone, canvas: new.next, on: device)
        do throws(DisplayError) {
            try begin(alone, canvas: new.next, on: device)
        } catch {
            device.destroyBlob(blob)
            guard case .kms(_, EBUSY) = error else { throw error }
            trouble = error
            return .busy
        }
        if let lost = pending?.buffers, lost.next !== buffers?.next {
            abandoned.removeAll { $0.next === lost.next }
            abandoned.append(lost)
        }
        dropPending(on: device)
        pending = PendingModeset(pipeline, token: token, blob: blob, buffers: new)
        // What the kernel goes by from now on.
        (driven, candidates, isLeaving) = (pipeline, nil, false)
        video.wasCommitted()
        return .begun
    }

    /// What came of the mode that was begun.
    private func collect() {
        let isOutdated = pending?.isOutdated ?? false
        if isFlipPending { return collectFlip() }
        let input = outcome { device throws(DisplayError) -> ScreenMachine.Input in
            while let pending = self.pending,
                let event = try self.events.take(pending.token, from: device)
            {
                guard pending.isMeant(by: event) else { continue }
                let isLate = !self.machine.isAwaiting
                if let code = event.refusal {
                    self.dropPending(on: device)
                    if isLate { return .due }
                    throw .kms("commit", code: code)
                }
                self.show(pending, at: event.visible, on: device)
                return isLate ? .cameLate : .accepted
            }
            return .due
        }
        run(input)
        passedOver = machine.passedOver?.description
        if isOutdated, machine.isShown { isBehind = true }
    }

    private func collectFlip() {
        let input = outcome { device throws(DisplayError) -> ScreenMachine.Input in
            guard let event = try self.events.take(self.token, from: device) else { return .due }
            self.flipped(at: event.visible)
            return .accepted
        }
        guard case .due = input else { return run(input) }
    }

    private func flipped(at instant: Monotonic) {
        (visible, lastVBlank, isFlipPending) = (instant, instant, false)
        video.wasSeen()
        if hasNewCanvas, let buffers { self.buffers = (next: buffers.shown, shown: buffers.next) }
        hasNewCanvas = false
    }

    private func show(_ mode: PendingModeset, at instant: Monotonic, on device: any KMSDevice) {
        dropPending(on: device)
        buffers = (next: mode.buffers.shown, shown: mode.buffers.next)
        (hasNewCanvas, abandoned) = (false, [])
        video.wasSeen()
        // One that cannot be read names nobody, and is no reason to show nothing.
        let display = try? machine.connector?.edid.withUnsafeBytes { try EDID($0) }
        let timing = mode.pipeline.timing.mode
        label = (machine.connector?.name ?? "", "\(timing.size)@\(timing.refresh)", display?.label)
        flipSetting = [KMSSetting(mode.pipeline.plane, .framebuffer, 0)]
        visible = instant
    }

    private func dropPending(on device: any KMSDevice) {
        if let pending { device.destroyBlob(pending.blob) }
        pending = nil
    }

    private func flip(on device: any KMSDevice) throws(DisplayError) -> ScreenMachine.Input {
        guard let buffers, let driven else { throw .missing("a buffer") }
        token = events.nextToken()
        let shown = hasNewCanvas ? buffers.next : buffers.shown
        flipSetting[0].value = UInt64(shown.framebuffer)
        let settings = video.isIdle ? flipSetting : video.settings(canvas: shown, on: driven)
        try canvas.flip(on: driven.plane) { more throws(DisplayError) in
            try commit(more.isEmpty ? settings : settings + more, .pageFlipEvent, on: device)
        }
        video.wasCommitted()
        guard paces else {
            isFlipPending = true
            return .begun
        }
        // Others that could pace are not kept for longer than is needed to see that this one cannot.
        let own = min(ScreenMachine.flipTimeout, (machine.timing?.mode.refresh.period ?? .zero) * 3)
        let limit = clock() + (isAlone ? ScreenMachine.flipTimeout : own)
        meanwhile?()
        // One that has come in the meantime is taken whatever the time is.
        while let event = try events.take(token, from: device, timeout: { limit - self.clock() }) {
            guard event.token == token else { continue }
            flipped(at: event.visible)
            return .accepted
        }
        guard !isAlone else { return .flipLost }
        (isFlipPending, lastStall) = (true, clock())
        return .begun
    }

    func release() {
        guard let device, let driven else { return isLeaving = false }
        do throws(DisplayError) {
            try commit(
                driven.dark + video.leaving(besides: [driven.plane]), [.allowModeset, .nonblocking], on: device)
        } catch {
            // It is dark anyhow, without a display; but buffers that are shown are not to be taken away.
            return isLeaving = true
        }
        dropPending(on: device)
        (self.driven, buffers, abandoned, isLeaving, isFlipPending) = (nil, nil, [], false, false)
        dropVideo()
    }

    // MARK: Parts

    /// Those that are there if they fit.
    private func buffers(
        for pipeline: DisplayPipeline, on device: any KMSDevice
    ) throws(DisplayError) -> ScreenCanvas.Buffers {
        let size = pipeline.timing.mode.size
        let known = [buffers, candidates, pending?.buffers].compactMap { $0 } + abandoned
        if let same = known.first(where: { $0.next.size == size && canvas.accepts($0) }) { return same }
        let made = try canvas.makeBuffers(size, for: pipeline.plane, on: device)
        candidates = made
        return made
    }

    private func write() {
        guard let next = buffers?.next, let device else { return }
        do throws(DisplayError) {
            buffers?.next = try canvas.write(on: next, hole: hole, device)
            hasNewCanvas = true
        } catch {
            trouble = error
        }
    }

    // MARK: What was before

    /// Shows what was shown before, a console, and leaves the card.
    func giveBack(_ options: KMSCommit) {
        guard let device else { return }
        if !found.isEmpty { restore(on: device, options) }
        dropPending(on: device)
        if isAlone { device.dropMaster() }
        forget()
    }

    /// Its objects are of no use any more.
    private func forget() {
        if let device { dropPending(on: device) }
        (driven, buffers, candidates, device) = (nil, nil, nil, nil)
        (abandoned, isLeaving, isFlipPending) = ([], false, false)
        canvas.forgetCard()
        found = SavedState()
        dropVideo()
    }
}
