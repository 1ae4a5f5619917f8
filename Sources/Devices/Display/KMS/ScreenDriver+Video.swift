// SPDX-License-Identifier: Apache-2.0
import Glibc
import Media
import Scene

extension ScreenDriver {
    func hideVideo() { video.hide(keepsRefusal: lacksVideo) }

    /// As `StageOutput.show`: whatever the card does not take is composed, and is not asked about again for a while.
    func show(
        _ frame: borrowing VideoFrame, isNew: Bool, crop: PixelRectangle, at destination: PixelRectangle
    ) -> PixelRectangle? {
        let latest = video.hide()
        guard usesPlanes, machine.isShown, let pipeline = driven else { return nil }
        let known = isNew ? nil : latest
        for isShared in Self.manners {
            let request = PlaneRequest(
                frame, crop: crop, at: destination, of: size, mode: pipeline.timing.mode.size, isShared: isShared)
            if let request, show(frame, request, on: pipeline, unchanged: known, like: latest ?? video.shown) {
                return request.area
            }
        }
        return nil
    }

    /// From the memory that it lies in, before copied.
    private static let manners = [true, false]

    /// - Parameters:
    ///   - unchanged: what was shown of the same picture, if it is the same.
    ///   - like: what was shown.
    private func show(
        _ frame: borrowing VideoFrame, _ request: PlaneRequest, on pipeline: DisplayPipeline,
        unchanged: VideoPlane.Content?,
        like known: VideoPlane.Content?
    ) -> Bool {
        guard let device, let canvas = buffers?.next, canvas.blendedFramebuffer != 0,
            !video.isRefused(request, now: clock())
        else { return false }
        do throws(DisplayError) {
            if let unchanged, unchanged.request == request, unchanged.pipeline == pipeline {
                video.show(unchanged, isNew: false)
            } else if let known, known.request == request, known.pipeline == pipeline {
                let source = try video.source(of: frame, request, known.format, on: device)
                source.write(frame)
                video.show(
                    VideoPlane.Content(
                        request: request, stack: known.stack, pipeline: pipeline, source: source, format: known.format))
            } else {
                video.show(try find(request, frame, canvas, on: pipeline, device))
            }
            return true
        } catch {
            video.refuse(request, error.description, now: clock())
            return false
        }
    }

    /// The first way that the card accepts.
    /// - Throws: why it has not accepted the last one.
    private func find(
        _ request: PlaneRequest, _ frame: borrowing VideoFrame, _ canvas: any ScanoutBuffer,
        on pipeline: DisplayPipeline,
        _ device: any KMSDevice
    ) throws(DisplayError) -> VideoPlane.Content {
        var why = DisplayError.missing("a plane for \(request.source) under another one")
        for format in request.formats {
            let stacks = PlaneStack.all(
                of: device.planes, on: pipeline.crtc, primary: pipeline.plane, format: format)
            for stack in stacks where stack.video.settings(of: request.colour) != nil {
                do throws(DisplayError) {
                    let content = VideoPlane.Content(
                        request: request, stack: stack, pipeline: pipeline,
                        source: try video.source(of: frame, request, format, on: device), format: format)
                    try commit(
                        content.settings(canvas: canvas) + video.leaving(besides: content.planes), .testOnly,
                        on: device)
                    for plane in content.planes { found.note(plane, on: device) }
                    content.source.write(frame)
                    return content
                } catch {
                    why = error
                }
            }
        }
        throw why
    }

    /// A mode, with the video if that is not refused.
    func begin(_ alone: [KMSSetting], canvas: any ScanoutBuffer, on device: any KMSDevice) throws(DisplayError) {
        do throws(DisplayError) {
            try commit(withVideo(alone, canvas: canvas), [.allowModeset, .pageFlipEvent], on: device)
        } catch {
            if case .kms(_, EBUSY) = error { throw error }
            guard !error.isOfLostCard, refuseVideo(error) else { throw error }
            try commit(alone, [.allowModeset, .pageFlipEvent], on: device)
        }
    }

    /// What shows `canvas` alone, with its video.
    private func withVideo(_ alone: [KMSSetting], canvas: any ScanoutBuffer) -> [KMSSetting] {
        guard let content = video.next else { return alone }
        let planes = content.planes
        return alone.filter { !planes.contains($0.object) } + content.settings(canvas: canvas)
    }

    /// Another mode begins, with the video if the card would take that.
    func moveVideo(
        to pipeline: DisplayPipeline, _ alone: [KMSSetting], canvas: any ScanoutBuffer, on device: any KMSDevice
    ) {
        video.forgetRefusals()
        video.move(to: pipeline, of: size)
        if video.next != nil {
            do throws(DisplayError) {
                try commit(withVideo(alone, canvas: canvas), [.testOnly, .allowModeset], on: device)
            } catch {
                _ = refuseVideo(error)
            }
        }
        if hole != nil, video.next == nil { lacksVideo = true }
    }

    /// The card has refused a commit, maybe for its video's sake.
    /// - Returns: whether there was one.
    func refuseVideo(_ why: DisplayError) -> Bool {
        guard let request = video.next?.request else { return false }
        video.refuse(request, why.description, now: clock())
        lacksVideo = true
        return true
    }

    /// Nothing that was shown is any more.
    func dropVideo() {
        video.drop()
        if hole != nil { lacksVideo = true }
    }
}
