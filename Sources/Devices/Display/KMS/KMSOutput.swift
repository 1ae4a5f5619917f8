// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import System
import Time

/// A stage on a card's screen, by atomic commits. Without a card or a screen it is a stage in memory, until there is one;
/// what is refused, lost or pulled out is made up for (`ScreenMachine`).
public final class KMSOutput: StageOutput {
    private let driver: ScreenDriver
    /// In its place, where every screen shows the stage; its canvases are the same.
    private let group: ScreenGroup?
    private let watch: CardWatch
    /// Draws what is shown without a copy, if it is given what is to be drawn; nil: the processor is to. A failure is why
    /// nothing can that should.
    public let compositor: Result<GLESCompositor, DisplayError>?

    /// - Parameters:
    ///   - size: of the stage, 1...16 384 each way. The screen's mode has the same if it can; else what is too much is
    ///     cut off at the edges.
    ///   - pin: the mode; nil: as suits the stage and what is played.
    ///   - connector: the only one to be used, as the kernel names it; nil: the first that has a screen.
    ///   - drawing: by whom.
    ///   - usesPlanes: a video may have a plane of its own.
    ///   - isMirrored: every screen of the card shows the stage, and `connector` is the one whose vblanks count; the
    ///     processor draws, and there is no plane for a video.
    ///   - wake: have `attend` called.
    public init(
        size: PixelSize, mode pin: ModePin? = nil, connector: String? = nil, drawing: ScreenDrawing = .processor,
        usesPlanes: Bool = true, isMirrored: Bool = false,
        wake: @escaping @Sendable () -> Void
    ) throws(SystemCallError) {
        let only = isMirrored ? nil : connector
        var search = CardSearch()
        let first: CardWatch.News
        do throws(DisplayError) {
            first = .snapshot(try search.probe(for: only))
        } catch {
            first = .failure(error)
        }
        let watch = try CardWatch(search, connector: only, wake: wake)
        self.watch = watch
        let request = ModeRequest(size: size, pin: pin)
        let group =
            isMirrored
            ? ScreenGroup(
                request, preferred: connector, clock: SystemClock.monotonic, poll: { watch.poll(probes: $0) }) : nil
        self.group = group
        var painter: GBMPainter?
        let painting = isMirrored ? ScreenDrawing.processor : drawing
        compositor = painting.result { () throws(DisplayError) -> GLESCompositor? in
            switch first {
            case .snapshot(let snapshot): painter = try GBMPainter(for: drawing, on: snapshot.device, size: size)
            case .failure(let error): throw error
            }
            return painter?.compositor
        }
        driver = ScreenDriver(
            request, connector: only, painter: painter, in: group.map { ($0.canvas, $0.events) },
            clock: SystemClock.monotonic, poll: { watch.poll(probes: $0) })
        driver.usesPlanes = usesPlanes && !isMirrored
        // The card is driven before a stage has composed anything: with this, for a new buffer is black.
        compose { $0.fill(blue: 0x38, green: 0x20, red: 0x10) }
        _ = present(now: SystemClock.monotonic())
        take(first)
    }

    deinit { watch.stop() }

    public var size: PixelSize { driver.size }
    public var fault: DisplayError? { group?.fault ?? driver.fault }
    public var refresh: Nanoseconds? { (group.map(\.mode) ?? driver.mode)?.refresh.period }
    public var lastVBlank: Monotonic? { group.map(\.lastVBlank) ?? driver.lastVBlank }
    public var wantsPictures: Bool { true }
    public var screen: ScreenStatus? { group?.status ?? driver.status }

    /// The frames a second, 1...240, of the screen that is there, or is about to be; nil while there is none.
    public var rate: Int? { (group.map(\.expectedMode) ?? driver.expectedMode)?.rate }

    public func compose<Failure: Error>(
        _ body: (borrowing CanvasBuffer) throws(Failure) -> Void
    ) throws(Failure) { try driver.compose(body) }

    public func show(
        _ picture: borrowing VideoFrame, isNew: Bool, crop: PixelRectangle, at destination: PixelRectangle
    ) -> PixelRectangle? { driver.show(picture, isNew: isNew, crop: crop, at: destination) }

    public func hideVideo() { driver.hideVideo() }
    public var lacksVideo: Bool { driver.lacksVideo }

    public func present(now: Monotonic) -> Monotonic {
        group?.present(now: now) ?? driver.present(now: now)
    }

    public func readFront<Failure: Error>(
        _ body: (borrowing CanvasBuffer) throws(Failure) -> Void
    ) throws(Failure) -> Bool { try driver.readFront(body) }

    public func follow(content rate: FrameRate?) {
        if let group { group.follow(content: rate) } else { driver.follow(content: rate) }
    }

    public func attend(now: Monotonic) -> Monotonic? {
        for news in watch.news.takeAll() { take(news) }
        if let group { return group.attend(now: now) }
        return driver.attend(now: now)
    }

    private func take(_ news: CardWatch.News) {
        if let group { group.take(news) } else { driver.take(news) }
    }
}
