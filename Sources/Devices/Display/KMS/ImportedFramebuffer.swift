// SPDX-License-Identifier: Apache-2.0

/// A framebuffer on memory of another device, a decoder. All pictures in that memory share it.
final class ImportedFramebuffer {
    private let owned: Framebuffer

    init(_ framebuffer: consuming Framebuffer) { owned = framebuffer }

    /// The framebuffer's id.
    var framebuffer: UInt32 { owned.id }
}
