// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Time

/// The video of a screen on a plane of its own: what the next flip shows of it, and what the card has refused.
/// - Thread: the render thread.
struct VideoLayer {
    /// Before a refused picture's like is tried again.
    static let refusalPause = Nanoseconds.seconds(60)
    private static let mostRefusals = 16

    /// A picture, and the planes that show it under the canvas.
    struct Content {
        let wish: VideoWish
        let stack: PlaneStack
        let route: ScreenRoute
        let source: VideoSource
        /// A code of `drm_fourcc.h`.
        let format: UInt32
    }

    /// By the next commit; nil: the canvas alone.
    private(set) var next: Content?
    /// By the last that was done.
    private(set) var shown: Content?
    /// The newest that was written, whether it was shown or not.
    private(set) var latest: Content?
    /// Pictures on a plane, those of them that were copied into the card's memory, and refusals.
    private(set) var counters: (pictures: Int64, copies: Int64, refusals: Int64) = (0, 0, 0)
    /// Why the picture offered last is not shown in the first manner that it could be; nil: it is, or none is offered.
    private(set) var refusal: String?
    private var refused: [(wish: VideoWish, why: String, again: Monotonic)] = []
    /// Of one format and size; a third one is not needed, as a flip is waited for.
    private var pictures: [KMSPicture] = []
    /// Of a commit that shows another picture, and maybe another canvas, the same way as the one before.
    private var flipSettings: [KMSSetting] = []
    private var imports = ImportCache<KMSImport>()
    /// No longer to be shown, but seen until a flip is done.
    private var leaving: [Content] = []
    /// A card that does not end its flips is not to keep all that a decoder has.
    private static let mostLeaving = 2

    var isIdle: Bool { next == nil && shown == nil }

    /// Has the next commit show the canvas alone.
    /// - Parameter keepsRefusal: it is why there is no video.
    /// - Returns: what was written last; it may be out of date when it is wanted again.
    @discardableResult mutating func hide(keepsRefusal: Bool = false) -> Content? {
        imports.sweep()
        defer { (next, latest) = (nil, nil) }
        if !keepsRefusal { refusal = nil }
        return latest
    }

    /// Has it show the same on another way; the canvas alone where that cannot be.
    mutating func move(to route: ScreenRoute, of stage: PixelSize) {
        guard let content = next, content.route != route else { return }
        guard content.route.plane == route.plane, content.route.controller == route.controller,
            let wish = content.wish.moved(from: stage, to: route.timing.mode.size)
        else { return next = nil }
        next = Content(
            wish: wish, stack: content.stack, route: route, source: content.source, format: content.format)
    }

    /// Of the picture that is offered.
    mutating func isRefused(_ wish: VideoWish, now: Monotonic) -> Bool {
        refused.removeAll { $0.again <= now }
        guard let known = refused.first(where: { $0.wish == wish }) else { return false }
        refusal = known.why
        return true
    }

    /// Its like is composed for a while.
    mutating func refuse(_ wish: VideoWish, _ why: String, now: Monotonic) {
        (next, latest) = (nil, nil)
        refusal = why
        counters.refusals += 1
        refused.removeAll { $0.wish == wish }
        if refused.count == Self.mostRefusals { refused.removeFirst() }
        refused.append((wish, why, now + Self.refusalPause))
    }

    /// What a plane can read the picture from that is wished for.
    /// - Parameter format: one of the wish's.
    mutating func source(
        of frame: borrowing VideoFrame, _ wish: VideoWish, _ format: UInt32, on device: any KMSDevice
    ) throws(DisplayError) -> VideoSource {
        if wish.shared != nil, let shared = frame.shared, let loan = frame.loan {
            let image = try imports.image(of: shared) { shared throws(DisplayError) -> KMSImport in
                try device.importPicture(shared)
            }
            return .lent(image, loan: loan)
        }
        guard let format = wish.source.copies.first(where: { $0.fourCC == format }) else {
            throw .missing("memory for \(wish.source)")
        }
        return .copied(try picture(format, wish.size, on: device))
    }

    /// One that nobody sees, to be written.
    private mutating func picture(
        _ format: VideoFrame.PixelFormat, _ size: PixelSize, on device: any KMSDevice
    ) throws(DisplayError) -> KMSPicture {
        if let first = pictures.first, first.format != format || first.size != size { pictures = [] }
        if let free = pictures.first(where: { $0.frame != shown?.source.frame }) { return free }
        let made = try device.makePicture(format, size)
        pictures.append(made)
        return made
    }

    /// - Parameter isNew: its picture was not there before.
    mutating func show(_ content: Content, isNew: Bool = true) {
        (next, latest) = (content, content)
        if isNew, content.source.isCopied { counters.copies += 1 }
    }

    /// What was refused may be accepted now, and what was accepted refused.
    mutating func forgetRefusals() { refused.removeAll() }

    /// The card, or all that it showed, is gone.
    mutating func drop() {
        (next, shown, latest, pictures, refusal) = (nil, nil, nil, [], nil)
        leaving.removeAll()
        imports.removeAll()
        refused.removeAll()
    }

    // MARK: Commits

    /// Of a flip: as few as will do.
    /// - Parameter canvas: in the hole it is transparent if there is a picture.
    mutating func settings(canvas: any ScanoutBuffer, on route: ScreenRoute) -> [KMSSetting] {
        guard let next else {
            return route.settings(of: route.plane, showing: canvas.frame) + leaving(besides: [route.plane])
        }
        guard let shown, shown.wish == next.wish, shown.stack == next.stack, shown.route == next.route,
            !flipSettings.isEmpty
        else { return next.settings(canvas: canvas) + leaving(besides: next.planes) }
        flipSettings[0].value = UInt64(next.source.frame)
        flipSettings[1].value = UInt64(canvas.blendedFrame)
        if flipSettings.count > 2 { flipSettings[2].value = UInt64(canvas.frame) }
        return flipSettings
    }

    /// Has planes show nothing that do now, but for these.
    func leaving(besides planes: [UInt32]) -> [KMSSetting] {
        guard let shown else { return [] }
        return shown.planes.filter { !planes.contains($0) }
            .flatMap { [KMSSetting($0, .frame, 0), KMSSetting($0, .controller, 0)] }
    }

    /// The commit is made, and will be done.
    mutating func wasCommitted() {
        if let next, next.source.frame != shown?.source.frame { counters.pictures += 1 }
        if let shown, shown.source.frame != next?.source.frame {
            if leaving.count == Self.mostLeaving { leaving.removeFirst() }
            leaving.append(shown)
        }
        if let next, next.stack != shown?.stack || next.route != shown?.route || flipSettings.isEmpty {
            flipSettings = next.planes.map { KMSSetting($0, .frame, 0) }
        }
        shown = next
    }

    /// It is done: nobody sees what was there before.
    mutating func wasSeen() {
        leaving.removeAll(keepingCapacity: true)
        imports.sweep()
    }
}

extension VideoLayer.Content {
    /// The video's first.
    var planes: [UInt32] {
        [stack.video.id, stack.canvas.id] + (stack.isOfThree(on: route) ? [route.plane] : [])
    }

    /// All of it, whatever is shown now.
    func settings(canvas: any ScanoutBuffer) -> [KMSSetting] {
        var settings = stack.isOfThree(on: route) ? route.settings(of: route.plane, showing: canvas.frame) : []
        settings += route.settings(of: stack.video.id, showing: wish.crop, of: source.frame, at: wish.place)
        settings += stack.video.settings(of: wish.colour) ?? []
        settings += route.settings(of: stack.canvas.id, showing: canvas.blendedFrame)
        if stack.canvas.hasOpacity { settings.append(KMSSetting(stack.canvas.id, .opacity, 0xffff)) }
        if let value = stack.canvas.choices[.blending]?[KMSPlane.premultiplied] {
            settings.append(KMSSetting(stack.canvas.id, .blending, value))
        }
        return settings + stack.orders
    }
}

extension PlaneStack {
    /// The primary plane shows the canvas as well, below both.
    func isOfThree(on route: ScreenRoute) -> Bool { video.id != route.plane && canvas.id != route.plane }
}
