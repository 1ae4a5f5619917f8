// SPDX-License-Identifier: Apache-2.0
import Conversion
import Display
import Media
import Scene
import Time

/// The headless output, and every picture that it showed; with a plane for a video under its canvas if the test wants.
struct RecordingOutput: StageOutput, ~Copyable {
    private var inner: HeadlessOutput
    private let recorder: Recorder
    private var converter = VideoConverter()
    /// What the video's plane shows, where it does.
    private var below: (canvas: CanvasMemory, area: PixelRectangle)?
    private var cropped: PixelRectangle?
    private var isComposed = false
    private(set) var lacksVideo = false

    private final class CanvasMemory {
        let canvas: CanvasBuffer
        init(_ size: PixelSize) { canvas = CanvasBuffer(width: size.width, height: size.height) }
    }

    final class Recorder {
        /// Called for each picture that is shown.
        var onPresent: (Picture) -> Void = { _ in }
        var takesVideo = false
        /// Presents with a video that fail.
        var refusals = 0
        /// What a card says of a video that it does not take.
        var planeRefusal: String?
        fileprivate var screen: ScreenStatus? {
            guard let planeRefusal else { return nil }
            var status = ScreenStatus()
            status.planeRefusal = planeRefusal
            return status
        }
        private(set) var last = Picture(size: PixelSize(width: 1, height: 1), colour: 0)
        private(set) var count = 0
        fileprivate(set) var composed = 0
        /// Shown under the canvas.
        fileprivate(set) var videos = 0

        fileprivate func record(_ picture: Picture) {
            last = picture
            count += 1
            onPresent(picture)
        }
    }

    init(size: PixelSize, recorder: Recorder) {
        inner = HeadlessOutput(size: size)
        self.recorder = recorder
    }

    var size: PixelSize { inner.size }
    var wantsPictures: Bool { true }
    var screen: ScreenStatus? { recorder.screen }  // no more than that: 6.0.3

    mutating func show(
        _ picture: borrowing VideoFrame, isNew: Bool, crop: PixelRectangle, at destination: PixelRectangle
    ) -> PixelRectangle? {
        let before = below
        below = nil
        guard recorder.takesVideo else { return nil }
        let memory = before?.canvas ?? CanvasMemory(size)
        if isNew || destination != before?.area || crop != cropped {
            try? converter.draw(picture, crop: crop, in: destination, of: memory.canvas)
        }
        below = (memory, destination)
        cropped = crop
        return destination
    }

    mutating func hideVideo() { below = nil }

    mutating func compose<Failure: Error>(
        _ body: (borrowing CanvasBuffer) throws(Failure) -> Void
    ) throws(Failure) {
        isComposed = true
        recorder.composed += 1
        try inner.compose(body)
    }

    mutating func present(now: Monotonic) -> Monotonic {
        lacksVideo = below != nil && recorder.refusals > 0
        if isComposed { _ = inner.present(now: now) }
        isComposed = false
        if lacksVideo {
            recorder.refusals -= 1
            return now
        }
        if below != nil { recorder.videos += 1 }
        _ = inner.readFront { front in
            var picture = Picture(front)
            if let (memory, area) = below { picture.put(memory.canvas, under: front, in: area) }
            recorder.record(picture)
        }
        return now
    }

    func readFront<Failure: Error>(
        _ body: (borrowing CanvasBuffer) throws(Failure) -> Void
    ) throws(Failure) -> Bool { try inner.readFront(body) }
}
