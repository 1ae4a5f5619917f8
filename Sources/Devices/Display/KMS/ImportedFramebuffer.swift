// SPDX-License-Identifier: Apache-2.0

/// A framebuffer of memory that belongs to another device, a decoder's. Every picture that lies in that memory shares
/// it.
final class ImportedFramebuffer {
    private let owned: Framebuffer

    init(_ framebuffer: consuming Framebuffer) { owned = framebuffer }

    /// The framebuffer's id.
    var framebuffer: UInt32 { owned.id }
}
