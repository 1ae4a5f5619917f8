// SPDX-License-Identifier: Apache-2.0
import Media
import Scene

/// A video's picture on a plane: all that a card has to accept once.
struct VideoWish: Hashable, Sendable {
    let source: VideoFrame.PixelFormat
    /// Of the picture; even.
    let size: PixelSize
    /// The part that is shown; even.
    let crop: PixelRectangle
    /// What it covers of the stage; even.
    let area: PixelRectangle
    /// Of what the controller shows.
    private(set) var place: PixelRectangle
    let colour: PlaneColour

    /// Nil when it has to be composed: it is not of a plane's kind, or not whole on the screen.
    /// - Parameters:
    ///   - crop: from an even origin.
    ///   - mode: which has the stage in its middle.
    init?(
        _ picture: borrowing VideoFrame, crop: PixelRectangle, at destination: PixelRectangle, of stage: PixelSize,
        mode: PixelSize
    ) {
        guard !VideoFormat.choices(for: picture.format).isEmpty, picture.transfer == .sdr else { return nil }
        source = picture.format
        size = PixelSize(width: (picture.width + 1) & ~1, height: (picture.height + 1) & ~1)
        // Chroma is halved: there is no half of a pixel of it.
        var (part, area) = (crop, destination.even)
        part.size = PixelSize(width: crop.size.width & ~1, height: crop.size.height & ~1)
        // What is not scaled stays so.
        if crop.size.width == destination.size.width {
            area.size.width = min(part.size.width, area.size.width)
            part.size.width = area.size.width
        }
        if crop.size.height == destination.size.height {
            area.size.height = min(part.size.height, area.size.height)
            part.size.height = area.size.height
        }
        self.crop = part
        self.area = area
        place = area.moved(from: stage, to: mode)
        colour = PlaneColour(picture)
        guard !part.isEmpty, part.x >= 0, part.y >= 0, part.right <= picture.width, part.bottom <= picture.height,
            !area.isEmpty, place.isInside(mode)
        else { return nil }
    }

    /// In another mode; nil when it is not whole there.
    func moved(from stage: PixelSize, to mode: PixelSize) -> VideoWish? {
        var moved = self
        moved.place = area.moved(from: stage, to: mode)
        return moved.place.isInside(mode) ? moved : nil
    }
}

extension PixelRectangle {
    /// The largest inside with even edges.
    fileprivate var even: PixelRectangle {
        let (left, top) = ((x + 1) & ~1, (y + 1) & ~1)
        return PixelRectangle(
            x: left, y: top, size: PixelSize(width: max(0, (right & ~1) - left), height: max(0, (bottom & ~1) - top)))
    }

    /// The same place of a picture of another size that has the first in its middle.
    fileprivate func moved(from old: PixelSize, to new: PixelSize) -> PixelRectangle {
        func shift(_ old: Int, _ new: Int) -> Int { new >= old ? (new - old) / 2 : -((old - new) / 2) }
        var moved = self
        moved.x += shift(old.width, new.width)
        moved.y += shift(old.height, new.height)
        return moved
    }

    fileprivate func isInside(_ screen: PixelSize) -> Bool {
        PixelRectangle(x: 0, y: 0, size: screen).contains(self)
    }
}
