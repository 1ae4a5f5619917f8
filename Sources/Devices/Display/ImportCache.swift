// SPDX-License-Identifier: Apache-2.0
import Media

/// The framebuffers or textures that a card or a GPU has made of decoders' buffers. Each is kept while its buffer
/// exists, because later pictures come in the same buffer.
struct ImportCache<Image> {
    private struct Entry {
        weak var buffer: SharedPicture.Identity?
        let image: Image
    }

    /// Limit on the entries, more than a decoder's buffers. A decoder that allocates a buffer for each picture must not
    /// fill the card.
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

    /// Drops the images whose buffers no longer exist. An image that is being shown is retained by its user.
    mutating func sweep() {
        guard entries.contains(where: { $0.buffer == nil }) else { return }
        entries.removeAll { $0.buffer == nil }
    }

    mutating func removeAll() { entries.removeAll() }
}
