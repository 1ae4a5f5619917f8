// SPDX-License-Identifier: Apache-2.0
import Media
import Scene

/// A video picture on a plane: all properties on which the card's acceptance depends. Pictures with equal requests are
/// shown alike.
struct PlaneRequest: Hashable, Sendable {
    /// The decoded picture's format.
    let source: VideoFrame.PixelFormat
    /// Layout of the decoder's memory from which it is shown; nil if it is copied.
    let shared: SharedKind?
    /// Size of the picture given to the card; even for a copy.
    let size: PixelSize
    /// The part of the picture that is shown; even.
    let crop: PixelRectangle
    /// The area of the stage that it covers; even.
    let area: PixelRectangle
    /// The same area on the CRTC.
    private(set) var place: PixelRectangle
    let colour: PlaneColour

    /// The layout of a picture that the card reads from the decoder's own memory. A card may refuse each of these.
    struct SharedKind: Hashable, Sendable {
        let fourCC: UInt32
        let modifier: UInt64?
        /// Octets from one luma row to the next.
        let pitch: UInt32
    }

    /// nil if no plane can show the picture, or if it is not entirely on the screen.
    /// - Parameters:
    ///   - isShared: show it from the decoder's memory; the result is nil if that cannot be shared.
    ///   - crop: has an even origin.
    ///   - mode: size of the mode; the stage is in its middle.
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
        // A chroma sample covers two luma samples each way, so edges are even.
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

    /// The formats in which the card can be given the picture (codes of `drm_fourcc.h`), cheapest first.
    var formats: [UInt32] {
        if let shared { return [shared.fourCC] }
        return source.copies.compactMap(\.fourCC)
    }

    /// The request in another mode; nil if the picture would not be entirely on the screen.
    func moved(from stage: PixelSize, to mode: PixelSize) -> PlaneRequest? {
        var moved = self
        moved.place = area.moved(from: stage, to: mode)
        return moved.place.isInside(mode) ? moved : nil
    }
}

extension PixelRectangle {
    /// The largest rectangle with even edges inside this one.
    fileprivate var even: PixelRectangle {
        let (left, top) = ((x + 1) & ~1, (y + 1) & ~1)
        return PixelRectangle(
            x: left, y: top, size: PixelSize(width: max(0, (right & ~1) - left), height: max(0, (bottom & ~1) - top)))
    }

    /// The same area in a larger or smaller mode that has the first in its middle.
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
