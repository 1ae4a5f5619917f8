// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Time

/// A screen's video on a plane of its own, under a canvas with a hole: what the next flip shows of it, and what the
/// card has refused.
/// - Thread: the render thread only.
struct VideoPlane {
    /// A picture, and the planes that show it under the canvas.
    struct Content {
        let request: PlaneRequest
        let stack: PlaneStack
        let pipeline: DisplayPipeline
        let source: VideoSource
        /// A code of `drm_fourcc.h`.
        let format: UInt32
    }

    /// False if every video must be composed.
    var isEnabled = true
    /// What the next commit shows; nil if it shows the canvas alone.
    private(set) var next: Content?
    /// What the last commit showed.
    private(set) var shown: Content?
    /// The newest content that was written, whether it was shown or not.
    private(set) var latest: Content?
    /// Transparent area of the canvas presented last; nil if it is opaque everywhere.
    private(set) var hole: PixelRectangle?
    /// Whether the canvas has a hole and the card refused the video under it.
    private(set) var isMissing = false
    /// Number of pictures on a plane, of those that were copied into the card's memory, and of refusals.
    private(set) var counters: (pictures: Int64, copies: Int64, refusals: Int64) = (0, 0, 0)
    var refusals = PlaneRefusals()
    private var sources = VideoSources()
    /// The settings of a flip that only changes framebuffers, kept so that flips do not allocate.
    private var flipSettings: [KMSSetting] = []
    /// Replaced content that stays visible until the next flip is done.
    private var retiring: [Content] = []
    /// Limit on retiring content, so that a card that does not complete flips does not hold all of a decoder's buffers.
    private static let mostRetiring = 2

    var isIdle: Bool { next == nil && shown == nil }

    // MARK: Presenting

    /// Makes the next commit show the canvas alone.
    /// - Parameter keepsRefusal: whether the last refusal is the reason that there is no video.
    /// - Returns: the content written last; its memory may have changed before it is shown again.
    @discardableResult mutating func hide(keepsRefusal: Bool = false) -> Content? {
        sources.sweep()
        defer { (next, latest) = (nil, nil) }
        if !keepsRefusal { refusals.forgetReason() }
        return latest
    }

    /// Makes the next commit show a picture.
    /// - Parameter isNew: false if the picture is the previous one.
    mutating func show(_ content: Content, isNew: Bool = true) {
        (next, latest) = (content, content)
        if isNew, content.source.isCopied { counters.copies += 1 }
    }

    /// A newly composed canvas is presented, with a hole if there is a picture.
    mutating func canvasPresented() {
        hole = next?.request.area
        if hole == nil { isMissing = false }
    }

    /// Provides memory from which a plane can read the picture.
    /// - Parameter format: one of the request's formats.
    mutating func source(
        of frame: borrowing VideoFrame, _ request: PlaneRequest, _ format: UInt32, on device: any KMSDevice
    ) throws(DisplayError) -> VideoSource {
        try sources.source(of: frame, request, format, besides: shown?.source, on: device)
    }

    /// Moves the video to another pipeline; if that is impossible, the canvas is shown alone.
    mutating func move(to pipeline: DisplayPipeline, of stage: PixelSize) {
        guard let content = next, content.pipeline != pipeline else { return }
        guard content.pipeline.plane == pipeline.plane, content.pipeline.crtc == pipeline.crtc,
            let request = content.request.moved(from: stage, to: pipeline.timing.mode.size)
        else { return next = nil }
        next = Content(
            request: request, stack: content.stack, pipeline: pipeline, source: content.source,
            format: content.format)
    }

    // MARK: Refusals

    /// Makes pictures like this one be composed for a while.
    mutating func refuse(_ request: PlaneRequest, _ why: DisplayError, now: Monotonic) {
        (next, latest) = (nil, nil)
        counters.refusals += 1
        refusals.add(request, why.description, now: now)
    }

    /// Handles a refused commit, which the video in it may have caused.
    /// - Returns: whether the commit had a video.
    mutating func refuseNext(_ why: DisplayError, now: Monotonic) -> Bool {
        guard let request = next?.request else { return false }
        refuse(request, why, now: now)
        isMissing = true
        return true
    }

    /// Notes that the canvas is shown without a picture in its hole.
    mutating func noteMissing() { if hole != nil, next == nil { isMissing = true } }

    /// Forgets all content, because the card or what it showed is gone.
    mutating func drop() {
        (next, shown, latest) = (nil, nil, nil)
        retiring.removeAll()
        sources.removeAll()
        refusals.removeAll()
        refusals.forgetReason()
        if hole != nil { isMissing = true }
    }

    // MARK: Commits

    /// The settings of a flip, as few as suffice.
    /// - Parameter canvas: transparent in the hole if there is a picture.
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

    /// The settings of a modeset that also shows the video.
    /// - Parameter alone: the settings of the modeset without the video.
    func settings(adding alone: [KMSSetting], canvas: any ScanoutBuffer) -> [KMSSetting] {
        guard let next else { return alone }
        let planes = next.planes
        return alone.filter { !planes.contains($0.object) } + next.settings(canvas: canvas)
    }

    /// The settings that switch off all planes in use except `planes`.
    func leaving(besides planes: [UInt32]) -> [KMSSetting] {
        guard let shown else { return [] }
        return shown.planes.filter { !planes.contains($0) }
            .flatMap { [KMSSetting($0, .framebuffer, 0), KMSSetting($0, .crtc, 0)] }
    }

    /// The commit was made; its picture will become visible.
    mutating func committed() {
        if let next, next.source.framebuffer != shown?.source.framebuffer { counters.pictures += 1 }
        if let shown, shown.source.framebuffer != next?.source.framebuffer {
            if retiring.count == Self.mostRetiring { retiring.removeFirst() }
            retiring.append(shown)
        }
        if let next, next.stack != shown?.stack || next.pipeline != shown?.pipeline || flipSettings.isEmpty {
            flipSettings = next.planes.map { KMSSetting($0, .framebuffer, 0) }
        }
        shown = next
    }

    /// The commit is done, so the previous content is no longer visible.
    mutating func flipDone() {
        retiring.removeAll(keepingCapacity: true)
        sources.sweep()
    }
}

extension VideoPlane.Content {
    /// The ids of the planes; the video's comes first.
    var planes: [UInt32] {
        [stack.video.id, stack.canvas.id] + (stack.usesThreePlanes(on: pipeline) ? [pipeline.plane] : [])
    }

    /// All settings of the planes, whatever they show now.
    func settings(canvas: any ScanoutBuffer) -> [KMSSetting] {
        var settings: [KMSSetting] = []
        if stack.usesThreePlanes(on: pipeline) {
            settings = pipeline.settings(of: pipeline.plane, showing: canvas.framebuffer)
        }
        settings += pipeline.settings(
            of: stack.video.id, showing: request.crop, of: source.framebuffer, at: request.place)
        settings += stack.video.settings(of: request.colour) ?? []
        settings += pipeline.settings(of: stack.canvas.id, showing: canvas.blendedFramebuffer)
        if stack.canvas.hasAlpha { settings.append(KMSSetting(stack.canvas.id, .alpha, 0xffff)) }
        if let value = stack.canvas.choices[.blendMode]?[KMSPlane.premultiplied] {
            settings.append(KMSSetting(stack.canvas.id, .blendMode, value))
        }
        return settings + stack.zpositions
    }
}
