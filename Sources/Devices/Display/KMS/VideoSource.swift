// SPDX-License-Identifier: Apache-2.0
import Media

/// What a plane reads a video's picture from.
enum VideoSource {
    /// The card's own memory.
    case copied(VideoFramebuffer)
    /// The decoder's, which is not written while the loan lasts.
    case lent(ImportedFramebuffer, loan: any AnyObject & Sendable)

    /// What the card knows it by.
    var framebuffer: UInt32 {
        switch self {
        case .copied(let picture): picture.framebuffer
        case .lent(let buffer, _): buffer.framebuffer
        }
    }

    var isCopied: Bool { if case .copied = self { true } else { false } }

    func write(_ picture: borrowing VideoFrame) { if case .copied(let memory) = self { memory.write(picture) } }
}
