// SPDX-License-Identifier: Apache-2.0
import Media

/// What a plane reads a video's picture from.
enum VideoSource {
    /// The card's own memory.
    case copied(KMSPicture)
    /// The decoder's, which is not written while the loan lasts.
    case lent(KMSImport, loan: any AnyObject & Sendable)

    /// What the card knows it by.
    var frame: UInt32 {
        switch self {
        case .copied(let picture): picture.frame
        case .lent(let buffer, _): buffer.frame
        }
    }

    var isCopied: Bool { if case .copied = self { true } else { false } }

    func write(_ picture: borrowing VideoFrame) { if case .copied(let memory) = self { memory.write(picture) } }
}
