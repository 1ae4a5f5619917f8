// SPDX-License-Identifier: Apache-2.0
import Media

/// The memory that a plane reads a video's picture from.
enum VideoSource {
    /// Memory of the card.
    case copied(VideoFramebuffer)
    /// Memory of the decoder, which does not write it while the loan lasts.
    case lent(ImportedFramebuffer, loan: any AnyObject & Sendable)

    /// The framebuffer's id.
    var framebuffer: UInt32 {
        switch self {
        case .copied(let buffer): buffer.framebuffer
        case .lent(let buffer, _): buffer.framebuffer
        }
    }

    var isCopied: Bool { if case .copied = self { true } else { false } }

    /// Copies the picture unless this memory is the decoder's.
    func write(_ picture: borrowing VideoFrame) { if case .copied(let buffer) = self { buffer.write(picture) } }
}
