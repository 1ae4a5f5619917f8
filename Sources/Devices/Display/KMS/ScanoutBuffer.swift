// SPDX-License-Identifier: Apache-2.0
import Scene

/// What a plane can show: memory that the processor writes (`CanvasFramebuffer`), or that a GPU draws into.
protocol ScanoutBuffer: AnyObject {
    var size: PixelSize { get }
    /// What the card knows it by.
    var framebuffer: UInt32 { get }
    /// The same with its opacity, for a plane above others; 0: there is none.
    var blendedFramebuffer: UInt32 { get }
}

extension ScanoutBuffer {
    var blendedFramebuffer: UInt32 { 0 }
}
