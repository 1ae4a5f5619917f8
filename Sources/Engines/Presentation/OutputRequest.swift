// SPDX-License-Identifier: Apache-2.0
import Scene

/// An output for the stage, and how the stage lies on it.
public struct OutputRequest: Hashable, Sendable {
    public var kind: OutputKind
    /// The size of the output's screen, 1...16 384 pixels each way.
    public var screen: PixelSize
    public var mounting: ScreenMounting

    public init(_ kind: OutputKind, size screen: PixelSize, mounting: ScreenMounting = ScreenMounting()) {
        self.kind = kind
        self.screen = screen
        self.mounting = mounting
    }

    /// The size of the stage.
    public var size: PixelSize { mounting.stage(on: screen) }
}
