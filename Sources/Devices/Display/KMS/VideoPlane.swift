// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Time

/// The video of a screen on a plane of its own: what the next flip shows of it, and what the card has refused.
/// - Thread: the render thread.
struct VideoPlane {
    /// Before a refused picture's like is tried again.
    static let refusalPause = Nanoseconds.seconds(60)
    private static let mostRefusals = 16

    /// A picture, and the planes that show it under the canvas.
    struct Content {
        let request: PlaneRequest
        let stack: PlaneStack
        let pipeline: DisplayPipeline
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
    private var refused: [(request: PlaneRequest, why: String, again: Monotonic)] = []
    /// Of one format and size; a third one is not needed, as a flip is waited for.
    private var pictures: [VideoFramebuffer] = []
    /// Of a commit that shows another picture, and maybe another canvas, the same way as the one before.
    private var flipSettings: [KMSSetting] = []
    private var imports = ImportCache<ImportedFramebuffer>()
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
    mutating func move(to pipeline: DisplayPipeline, of stage: PixelSize) {
        guard let content = next, content.pipeline != pipeline else { return }
        guard content.pipeline.plane == pipeline.plane, content.pipeline.crtc == pipeline.crtc,
            let request = content.request.moved(from: stage, to: pipeline.timing.mode.size)
        else { return next = nil }
        next = Content(
            request: request, stack: content.stack, pipeline: pipeline, source: content.source, format: content.format)
    }

    /// Of the picture that is offered.
    mutating func isRefused(_ request: PlaneRequest, now: Monotonic) -> Bool {
        refused.removeAll { $0.again <= now }
        guard let known = refused.first(where: { $0.request == request }) else { return false }
        refusal = known.why
        return true
    }

    /// Its like is composed for a while.
    mutating func refuse(_ request: PlaneRequest, _ why: String, now: Monotonic) {
        (next, latest) = (nil, nil)
        refusal = why
        counters.refusals += 1
        refused.removeAll { $0.request == request }
        if refused.count == Self.mostRefusals { refused.removeFirst() }
        refused.append((request, why, now + Self.refusalPause))
    }

    /// What a plane can read the picture from that is wished for.
    /// - Parameter format: one of the wish's.
    mutating func source(
        of frame: borrowing VideoFrame, _ request: PlaneRequest, _ format: UInt32, on device: any KMSDevice
    ) throws(DisplayError) -> VideoSource {
        if request.shared != nil, let shared = frame.shared, let loan = frame.loan {
            let image = try imports.image(of: shared) { shared throws(DisplayError) -> ImportedFramebuffer in
                try device.importFramebuffer(shared)
            }
            return .lent(image, loan: loan)
        }
        guard let format = request.source.copies.first(where: { $0.fourCC == format }) else {
            throw .missing("memory for \(request.source)")
        }
        return .copied(try picture(format, request.size, on: device))
    }

    /// One that nobody sees, to be written.
    private mutating func picture(
        _ format: VideoFrame.PixelFormat, _ size: PixelSize, on device: any KMSDevice
    ) throws(DisplayError) -> VideoFramebuffer {
        if let first = pictures.first, first.format != format || first.size != size { pictures = [] }
        if let free = pictures.first(where: { $0.framebuffer != shown?.source.framebuffer }) { return free }
        let made = try device.makeVideoFramebuffer(format, size)
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
    mutating func settings(canvas: any ScanoutBuffer, on pipeline: DisplayPipeline) -> [KMSSetting] {
        guard let next else {
            return pipeline.settings(of: pipeline.plane, showing: canvas.framebuffer)
                + leaving(besides: [pipeline.plane])
        }
        guard let shown, shown.request == next.request, shown.stack == next.stack, shown.pipeline == next.pipeline,
            !flipSettings.isEmpty
        else { return next.settings(canvas: canvas) + leaving(besides: next.planes) }
        flipSettings[0].value = UInt64(next.source.framebuffer)
        flipSettings[1].value = UInt64(canvas.blendedFramebuffer)
        if flipSettings.count > 2 { flipSettings[2].value = UInt64(canvas.framebuffer) }
        return flipSettings
    }

    /// Has planes show nothing that do now, but for these.
    func leaving(besides planes: [UInt32]) -> [KMSSetting] {
        guard let shown else { return [] }
        return shown.planes.filter { !planes.contains($0) }
            .flatMap { [KMSSetting($0, .framebuffer, 0), KMSSetting($0, .crtc, 0)] }
    }

    /// The commit is made, and will be done.
    mutating func wasCommitted() {
        if let next, next.source.framebuffer != shown?.source.framebuffer { counters.pictures += 1 }
        if let shown, shown.source.framebuffer != next?.source.framebuffer {
            if leaving.count == Self.mostLeaving { leaving.removeFirst() }
            leaving.append(shown)
        }
        if let next, next.stack != shown?.stack || next.pipeline != shown?.pipeline || flipSettings.isEmpty {
            flipSettings = next.planes.map { KMSSetting($0, .framebuffer, 0) }
        }
        shown = next
    }

    /// It is done: nobody sees what was there before.
    mutating func wasSeen() {
        leaving.removeAll(keepingCapacity: true)
        imports.sweep()
    }
}

extension VideoPlane.Content {
    /// The video's first.
    var planes: [UInt32] {
        [stack.video.id, stack.canvas.id] + (stack.isOfThree(on: pipeline) ? [pipeline.plane] : [])
    }

    /// All of it, whatever is shown now.
    func settings(canvas: any ScanoutBuffer) -> [KMSSetting] {
        var settings =
            stack.isOfThree(on: pipeline) ? pipeline.settings(of: pipeline.plane, showing: canvas.framebuffer) : []
        settings += pipeline.settings(
            of: stack.video.id, showing: request.crop, of: source.framebuffer, at: request.place)
        settings += stack.video.settings(of: request.colour) ?? []
        settings += pipeline.settings(of: stack.canvas.id, showing: canvas.blendedFramebuffer)
        if stack.canvas.hasOpacity { settings.append(KMSSetting(stack.canvas.id, .opacity, 0xffff)) }
        if let value = stack.canvas.choices[.blending]?[KMSPlane.premultiplied] {
            settings.append(KMSSetting(stack.canvas.id, .blending, value))
        }
        return settings + stack.orders
    }
}

extension PlaneStack {
    /// The primary plane shows the canvas as well, below both.
    func isOfThree(on pipeline: DisplayPipeline) -> Bool { video.id != pipeline.plane && canvas.id != pipeline.plane }
}
