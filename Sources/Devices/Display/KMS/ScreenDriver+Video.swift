// SPDX-License-Identifier: Apache-2.0
import Glibc
import Media
import Scene

extension ScreenDriver {
    func hideVideo() { video.hide(keepsRefusal: video.isMissing) }

    /// Implements `StageOutput.show`. A picture that the card refuses is composed, and not offered again for a while.
    func show(
        _ frame: borrowing VideoFrame, isNew: Bool, crop: PixelRectangle, at destination: PixelRectangle
    ) -> PixelRectangle? {
        let latest = video.hide()
        guard video.isEnabled, self.canvas.mounting.rotation == .upright, machine.isShown,
            let pipeline = commits.driven, let canvas = buffers.current?.next,
            canvas.blendedFramebuffer != 0
        else { return nil }
        let offer = VideoOffer(
            canvas: canvas, pipeline: pipeline, unchanged: isNew ? nil : latest, similar: latest ?? video.shown)
        // The picture's own memory is tried first, then a copy.
        for isShared in [true, false] {
            let request = PlaneRequest(
                frame, crop: crop, at: destination, of: size, mode: pipeline.timing.mode.size, isShared: isShared)
            guard let request, !video.isRefused(request, now: clock()) else { continue }
            do throws(DisplayError) {
                try video.show(frame, request, offer, &commits)
                return request.area
            } catch {
                video.refuse(request, error, now: clock())
            }
        }
        return nil
    }

    /// Begins a modeset, together with the video unless the card refuses that.
    func begin(_ alone: [KMSSetting], canvas: any ScanoutBuffer) throws(DisplayError) {
        do throws(DisplayError) {
            try commits.commit(video.settings(adding: alone, canvas: canvas), [.allowModeset, .pageFlipEvent])
        } catch {
            if case .kms(_, EBUSY) = error { throw error }
            guard !error.isOfLostCard, video.refuseNext(error, now: clock()) else { throw error }
            try commits.commit(alone, [.allowModeset, .pageFlipEvent])
        }
    }

    /// Moves the video to the pipeline of a modeset that is about to begin, if a test commit accepts it.
    func moveVideo(to pipeline: DisplayPipeline, _ alone: [KMSSetting], canvas: any ScanoutBuffer) {
        video.forgetRefusals()
        video.move(to: pipeline, of: size)
        if video.next != nil {
            do throws(DisplayError) {
                try commits.commit(video.settings(adding: alone, canvas: canvas), [.testOnly, .allowModeset])
            } catch {
                _ = video.refuseNext(error, now: clock())
            }
        }
        video.noteMissing()
    }
}
