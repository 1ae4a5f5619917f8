// SPDX-License-Identifier: Apache-2.0
import Media

/// The framebuffers or textures that a card or a GPU has made of decoders' buffers. Each is kept as long as the buffer
/// exists, because a later picture comes in the same buffer.
struct ImportCache<Image> {
    private struct Entry {
        weak var buffer: SharedPicture.Identity?
        let image: Image
    }

    /// More than a decoder has. A decoder that makes a buffer for each picture must not fill the card.
    static var most: Int { 64 }

    private var entries: [Entry] = []

    var count: Int { entries.count }

    mutating func image(
        of picture: SharedPicture, make: (SharedPicture) throws(DisplayError) -> Image
    ) throws(DisplayError) -> Image {
        if let known = entries.first(where: { $0.buffer === picture.identity }) { return known.image }
        sweep()
        if entries.count == Self.most { entries.removeFirst() }
        let image = try make(picture)
        entries.append(Entry(buffer: picture.identity, image: image))
        return image
    }

    /// Forgets those whose buffers are gone; one that is shown is kept by whoever shows it.
    mutating func sweep() {
        guard entries.contains(where: { $0.buffer == nil }) else { return }
        entries.removeAll { $0.buffer == nil }
    }

    mutating func removeAll() { entries.removeAll() }
}
