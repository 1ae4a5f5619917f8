// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Time

/// A stage in memory: the last resort of presenting, and what tests read.
public struct HeadlessOutput: StageOutput, ~Copyable {
    public let size: PixelSize
    private var back: CanvasBuffer
    private var front: CanvasBuffer
    private var isPresented = false

    /// - Parameter size: 1...16 384 pixels each way.
    public init(size: PixelSize) {
        self.size = size
        back = CanvasBuffer(width: size.width, height: size.height)
        front = CanvasBuffer(width: size.width, height: size.height)
    }

    public var wantsPictures: Bool { true }

    public mutating func compose<Failure: Error>(
        _ body: (borrowing CanvasBuffer) throws(Failure) -> Void
    ) throws(Failure) { try body(back) }

    public mutating func present(now: Monotonic) -> Monotonic {
        swap(&back, &front)
        isPresented = true
        return now
    }

    public func readFront<Failure: Error>(
        _ body: (borrowing CanvasBuffer) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        if isPresented { try body(front) }
        return isPresented
    }
}
