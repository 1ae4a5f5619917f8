// SPDX-License-Identifier: Apache-2.0
import Display
import Media
import Scene
import Time

/// The headless output, and every picture that it showed.
struct RecordingOutput: StageOutput, ~Copyable {
    private var inner: HeadlessOutput
    private let recorder: Recorder

    final class Recorder {
        /// Called for each picture that is shown.
        var onPresent: (Picture) -> Void = { _ in }
        private(set) var last = Picture(size: PixelSize(width: 1, height: 1), colour: 0)
        private(set) var count = 0

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

    mutating func compose<Failure: Error>(
        _ body: (borrowing CanvasBuffer) throws(Failure) -> Void
    ) throws(Failure) { try inner.compose(body) }

    mutating func present(now: Monotonic) -> Monotonic {
        let visible = inner.present(now: now)
        _ = inner.readFront { recorder.record(Picture($0)) }
        return visible
    }

    func readFront<Failure: Error>(
        _ body: (borrowing CanvasBuffer) throws(Failure) -> Void
    ) throws(Failure) -> Bool { try inner.readFront(body) }
}
