// SPDX-License-Identifier: Apache-2.0
import Media

/// What a card or a GPU knows the decoders' buffers by, each as long as there is the buffer: it comes again with a later
/// picture.
struct ImportCache<Image> {
    private struct Entry {
        weak var buffer: SharedPicture.Identity?
        let image: Image
    }

    /// More than a decoder has; one that makes a buffer for each picture is not to fill the card.
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

    /// Takes away those whose buffers are gone; one that is shown goes when it no longer is.
    mutating func sweep() {
        guard entries.contains(where: { $0.buffer == nil }) else { return }
        entries.removeAll { $0.buffer == nil }
    }

    mutating func removeAll() { entries.removeAll() }
}
