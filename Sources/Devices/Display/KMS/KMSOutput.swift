// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import System
import Time

/// A stage on a card's screens, by atomic commits. Without a card or a screen it is a stage in memory until there is
/// one. It recovers from refused and lost commits and from the removal of displays and cards (`ScreenMachine`).
public final class KMSOutput: StageOutput {
    private var screens: any CardOutput
    private let watch: CardWatch
    /// Draws the stage directly into the framebuffers of the card; nil if the processor draws. A failure states why the
    /// requested GPU cannot draw.
    public let compositor: Result<GLESCompositor, DisplayError>?
    /// Why no card could be used when the output was opened; nil if one could.
    public let problem: DisplayError?

    /// - Parameters:
    ///   - screen: size of the screen for which the stage is made, 1...16 384 pixels each way. A mode of this size is
    ///     preferred; a smaller one cuts the stage's edges off, a larger one has the stage in its middle.
    ///   - mounting: how the stage lies on the screen.
    ///   - pin: the mode to use; nil chooses it by the stage and the content.
    ///   - connector: the only connector to use, by the kernel's name; nil for the first with a display.
    ///   - drawing: what draws the canvas.
    ///   - usesPlanes: whether a video may have a plane of its own. A stage that is rotated has none.
    ///   - isMirrored: whether all screens of the card show the stage; `connector` then is the one whose vblanks count.
    ///     The processor draws, and no video has a plane of its own.
    ///   - cards: where the card is found.
    ///   - wake: called when `attend` has something to do.
    public init(
        size screen: PixelSize, mounting: ScreenMounting = ScreenMounting(), mode pin: ModePin? = nil,
        connector: String? = nil, drawing: ScreenDrawing = .processor, usesPlanes: Bool = true,
        isMirrored: Bool = false, cards: CardSearch = CardSearch(), wake: @escaping @Sendable () -> Void
    ) throws(SystemCallError) {
        let only = isMirrored ? nil : connector
        var search = cards
        let first: CardWatch.News
        do throws(DisplayError) {
            first = .snapshot(try search.probe(for: only))
        } catch {
            first = .failure(error)
        }
        problem = if case .failure(let error) = first { error } else { nil }
        let watch = try CardWatch(search, connector: only, wake: wake)
        self.watch = watch
        let request = ModeRequest(size: screen, mounting: mounting, pin: pin)
        let poll = { (probes: Bool) in watch.poll(probes: probes) }
        if isMirrored {
            compositor = nil
            screens = MirroredScreens(request, preferred: connector, clock: SystemClock.monotonic, poll: poll)
        } else {
            var painter: GBMPainter?
            compositor = drawing.result { () throws(DisplayError) -> GLESCompositor? in
                switch first {
                case .snapshot(let card): painter = try GBMPainter(for: drawing, on: card.device, request)
                case .failure(let error): throw error
                }
                return painter?.compositor
            }
            let driver = ScreenDriver(
                request, connector: connector, painter: painter, clock: SystemClock.monotonic, poll: poll)
            driver.video.isEnabled = usesPlanes
            screens = driver
        }
        // The card is driven before a stage has composed anything. A new buffer is black, so this colour is shown
        // first.
        compose { $0.fill(blue: 0x38, green: 0x20, red: 0x10) }
        _ = present(now: SystemClock.monotonic())
        screens.take(first)
    }

    deinit { watch.stop() }

    public var size: PixelSize { screens.size }
    public var fault: DisplayError? { screens.fault }
    public var refresh: Nanoseconds? { screens.refresh }
    public var lastVBlank: Monotonic? { screens.lastVBlank }
    public var wantsPictures: Bool { screens.wantsPictures }
    public var screen: ScreenStatus? { screens.screen }

    /// Frames per second, 1...240, of the screen that is shown or about to be; nil if there is none.
    public var rate: Int? { screens.expectedMode?.rate }

    public func compose<Failure: Error>(
        _ body: (borrowing CanvasBuffer) throws(Failure) -> Void
    ) throws(Failure) { try screens.compose(body) }

    public func show(
        _ picture: borrowing VideoFrame, isNew: Bool, crop: PixelRectangle, at destination: PixelRectangle
    ) -> PixelRectangle? { screens.show(picture, isNew: isNew, crop: crop, at: destination) }

    public func hideVideo() { screens.hideVideo() }
    public var lacksVideo: Bool { screens.lacksVideo }

    public func present(now: Monotonic) -> Monotonic { screens.present(now: now) }

    public func readFront<Failure: Error>(
        _ body: (borrowing CanvasBuffer) throws(Failure) -> Void
    ) throws(Failure) -> Bool { try screens.readFront(body) }

    public func follow(content rate: FrameRate?) { screens.follow(content: rate) }

    public func attend(now: Monotonic) -> Monotonic? {
        for news in watch.news.takeAll() { screens.take(news) }
        return screens.attend(now: now)
    }
}
