// SPDX-License-Identifier: Apache-2.0
import Media
import Scene
import Time

/// An output that draws nothing but times pictures as any other: for measurements, and for boxes that only record.
public struct NullOutput: StageOutput, ~Copyable {
    public let size: PixelSize

    public init(size: PixelSize) { self.size = size }

    public var wantsPictures: Bool { false }

    public mutating func compose<Failure: Error>(
        _ body: (borrowing CanvasBuffer) throws(Failure) -> Void
    ) throws(Failure) {}

    public mutating func present(now: Monotonic) -> Monotonic { now }

    public func readFront<Failure: Error>(
        _ body: (borrowing CanvasBuffer) throws(Failure) -> Void
    ) throws(Failure) -> Bool { false }
}
