// SPDX-License-Identifier: Apache-2.0
import Media
import Scene

/// A video's picture on a plane: all that a card has to accept once. Pictures with equal requests are shown alike.
struct PlaneRequest: Hashable, Sendable {
    /// The decoded picture's format.
    let source: VideoFrame.PixelFormat
    /// The layout of the decoder's memory that it is shown from; nil if it is copied.
    let shared: SharedKind?
    /// The size of what the card is given; even if that is a copy.
    let size: PixelSize
    /// The part of that which is shown; even.
    let crop: PixelRectangle
    /// What it covers of the stage; even.
    let area: PixelRectangle
    /// The same area on the CRTC.
    private(set) var place: PixelRectangle
    let colour: PlaneColour

    /// What of a shared picture's layout a card may refuse.
    struct SharedKind: Hashable, Sendable {
        let fourCC: UInt32
        let modifier: UInt64?
        /// Octets from one row of luma to the next.
        let pitch: UInt32
    }

    /// Nil if no plane can show the picture, or it is not whole on the screen.
    /// - Parameters:
    ///   - isShared: show it from the decoder's memory; nil is returned if it lies in none that can be shared.
    ///   - crop: from an even origin.
    ///   - mode: the mode's size; the stage is in its middle.
    init?(
        _ picture: borrowing VideoFrame, crop: PixelRectangle, at destination: PixelRectangle, of stage: PixelSize,
        mode: PixelSize, isShared: Bool = false
    ) {
        guard picture.transfer == .sdr else { return nil }
        source = picture.format
        var (left, top) = (0, 0)
        if isShared {
            guard let memory = picture.shared, picture.loan != nil, let plane = memory.planes.first else { return nil }
            shared = SharedKind(fourCC: memory.fourCC, modifier: memory.modifier, pitch: plane.pitch)
            size = PixelSize(width: memory.width, height: memory.height)
            (left, top) = (memory.left, memory.top)
        } else {
            guard !picture.format.copies.isEmpty else { return nil }
            shared = nil
            size = PixelSize(width: (picture.width + 1) & ~1, height: (picture.height + 1) & ~1)
        }
        // A pixel of chroma covers two of luma each way, so edges are even.
        var (part, area) = (crop, destination.even)
        part.size = PixelSize(width: crop.size.width & ~1, height: crop.size.height & ~1)
        // A picture that is not scaled stays so.
        if crop.size.width == destination.size.width {
            area.size.width = min(part.size.width, area.size.width)
            part.size.width = area.size.width
        }
        if crop.size.height == destination.size.height {
            area.size.height = min(part.size.height, area.size.height)
            part.size.height = area.size.height
        }
        self.area = area
        place = area.moved(from: stage, to: mode)
        colour = PlaneColour(picture)
        guard !part.isEmpty, part.x >= 0, part.y >= 0, part.right <= picture.width, part.bottom <= picture.height,
            !area.isEmpty, place.isInside(mode)
        else { return nil }
        part.x += left
        part.y += top
        self.crop = part
        guard part.isInside(size), part.x % 2 == 0, part.y % 2 == 0 else { return nil }
    }

    /// The formats that the card can be given (codes of `drm_fourcc.h`), the cheapest first.
    var formats: [UInt32] {
        if let shared { return [shared.fourCC] }
        return source.copies.compactMap(\.fourCC)
    }

    /// The request in another mode; nil if the picture is not whole there.
    func moved(from stage: PixelSize, to mode: PixelSize) -> PlaneRequest? {
        var moved = self
        moved.place = area.moved(from: stage, to: mode)
        return moved.place.isInside(mode) ? moved : nil
    }
}

extension PixelRectangle {
    /// The largest rectangle inside with even edges.
    fileprivate var even: PixelRectangle {
        let (left, top) = ((x + 1) & ~1, (y + 1) & ~1)
        return PixelRectangle(
            x: left, y: top, size: PixelSize(width: max(0, (right & ~1) - left), height: max(0, (bottom & ~1) - top)))
    }

    /// The same place in a picture of another size that has the first in its middle.
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
