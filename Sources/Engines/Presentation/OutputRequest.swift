// SPDX-License-Identifier: Apache-2.0
import Scene

/// An output for the stage, and the size of the stage on it.
public struct OutputRequest: Hashable, Sendable {
    public var kind: OutputKind
    /// 1...16 384 pixels each way.
    public var size: PixelSize

    public init(_ kind: OutputKind, size: PixelSize) {
        self.kind = kind
        self.size = size
    }
}
