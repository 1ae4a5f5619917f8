// SPDX-License-Identifier: Apache-2.0
import Scene

/// A framebuffer for the canvas: one that the processor writes (`CanvasFramebuffer`) or that a GPU draws into.
protocol ScanoutBuffer: AnyObject {
    var size: PixelSize { get }
    /// The framebuffer's id.
    var framebuffer: UInt32 { get }
    /// The id of a framebuffer of the same memory with opacity, for a plane above others; 0 if there is none.
    var blendedFramebuffer: UInt32 { get }
}

extension ScanoutBuffer {
    var blendedFramebuffer: UInt32 { 0 }
}
