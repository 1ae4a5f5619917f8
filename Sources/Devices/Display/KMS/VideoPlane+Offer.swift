// SPDX-License-Identifier: Apache-2.0
import Media
import Time

/// The state of the screen to which a video picture is offered.
struct VideoOffer {
    /// The canvas that the next flip would show above it.
    let canvas: any ScanoutBuffer
    let pipeline: DisplayPipeline
    /// The content last shown of the same picture; nil if the picture is a new one.
    let unchanged: VideoPlane.Content?
    /// The content shown for the previous picture.
    let similar: VideoPlane.Content?
}

extension VideoPlane {
    mutating func isRefused(_ request: PlaneRequest, now: Monotonic) -> Bool { refusals.contains(request, now: now) }

    mutating func forgetRefusals() { refusals.removeAll() }

    /// Makes the next commit show the picture as the previous one was shown, or on the first planes that a test commit
    /// accepts.
    /// - Throws: why it cannot be shown on planes.
    mutating func show(
        _ frame: borrowing VideoFrame, _ request: PlaneRequest, _ offer: VideoOffer, _ commits: inout CardCommits
    ) throws(DisplayError) {
        let pipeline = offer.pipeline
        guard let device = commits.device else { throw .missing("a card") }
        if let same = offer.unchanged, same.request == request, same.pipeline == pipeline {
            show(same, isNew: false)
        } else if let known = offer.similar, known.request == request, known.pipeline == pipeline {
            let source = try source(of: frame, request, known.format, on: device)
            source.write(frame)
            show(
                Content(
                    request: request, stack: known.stack, pipeline: pipeline, source: source, format: known.format))
        } else {
            show(try find(request, frame, offer, &commits, device))
        }
    }

    /// - Returns: content on the first stack of planes that the card accepts.
    /// - Throws: why the card refused the last stack.
    private mutating func find(
        _ request: PlaneRequest, _ frame: borrowing VideoFrame, _ offer: VideoOffer, _ commits: inout CardCommits,
        _ device: any KMSDevice
    ) throws(DisplayError) -> Content {
        let pipeline = offer.pipeline
        var why = DisplayError.missing("a plane for \(request.source) under another one")
        for format in request.formats {
            let stacks = PlaneStack.all(
                of: device.planes, on: pipeline.crtc, primary: pipeline.plane, format: format)
            for stack in stacks where stack.video.settings(of: request.colour) != nil {
                do throws(DisplayError) {
                    let content = Content(
                        request: request, stack: stack, pipeline: pipeline,
                        source: try source(of: frame, request, format, on: device), format: format)
                    try commits.commit(
                        content.settings(canvas: offer.canvas) + leaving(besides: content.planes), .testOnly)
                    commits.save(planes: content.planes)
                    content.source.write(frame)
                    return content
                } catch {
                    why = error
                }
            }
        }
        throw why
    }
}
