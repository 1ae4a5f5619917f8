// SPDX-License-Identifier: Apache-2.0

extension Region {
    /// Where a picture is drawn on the stage. Values of a stream or document that are out of range are clamped.
    /// - Parameters:
    ///   - picture: coded size.
    ///   - pixelAspect: width of a pixel : its height; 1:1 if either is 0 or less.
    public func placement(
        of picture: PixelSize, pixelAspect: (width: Int, height: Int) = (1, 1), on stage: PixelSize
    ) -> Placement {
        let place = area.pixels(of: stage)
        let area = whole(of: place)
        let shown = crop.pixels(of: picture)
        let coded = pixelAspect.width > 0 && pixelAspect.height > 0 ? pixelAspect : (width: 1, height: 1)
        var placement = Placement(crop: shown, destination: area, rotation: rotation, opacity: opacityOf255)
        switch fit {
        case .stretch: break
        case .fill:
            placement.crop = shown.narrowed(to: rotation.isSideways ? area.size.turned : area.size, pixelAspect: coded)
        case .fit:
            let turned = rotation.isSideways
            let aspect = turned ? (width: coded.height, height: coded.width) : coded
            var fitting = PixelRectangle.fitting(
                turned ? shown.size.turned : shown.size, pixelAspect: aspect, in: area.size)
            fitting.size.width = min(fitting.size.width, area.size.width)
            fitting.size.height = min(fitting.size.height, area.size.height)
            fitting.x += area.x
            fitting.y += area.y
            placement.destination = fitting
        }
        return part == .whole ? placement : placement.cut(to: place)
    }

    /// The rectangle of the whole region, of which `place` shows only `part`.
    private func whole(of place: PixelRectangle) -> PixelRectangle {
        guard part != .whole, part.isValid else { return place }
        let size = PixelSize(
            width: place.size.width * SceneArea.parts / part.width,
            height: place.size.height * SceneArea.parts / part.height)
        return PixelRectangle(
            x: (place.x - size.width * part.x / SceneArea.parts) & ~1,
            y: (place.y - size.height * part.y / SceneArea.parts) & ~1, size: size)
    }

    /// The opacity scaled to 0...255.
    public var opacityOf255: Int { (max(0, min(100, opacity)) * 255 + 50) / 100 }
}

extension PixelSize {
    fileprivate var turned: PixelSize { PixelSize(width: height, height: width) }
}

extension PixelRectangle {
    /// The largest centred part that has the shape of `bounds`, given the aspect of its pixels.
    fileprivate func narrowed(
        to bounds: PixelSize, pixelAspect: (width: Int, height: Int)
    ) -> PixelRectangle {
        var narrowed = self
        let width = size.height * pixelAspect.height * bounds.width / (pixelAspect.width * bounds.height)
        let height = size.width * pixelAspect.width * bounds.height / (pixelAspect.height * bounds.width)
        if width < size.width {
            narrowed.size.width = min(size.width, max(2, width & ~1))
            narrowed.x += (size.width - narrowed.size.width) / 2 & ~1
        } else if height < size.height {
            narrowed.size.height = min(size.height, max(2, height & ~1))
            narrowed.y += (size.height - narrowed.size.height) / 2 & ~1
        }
        return narrowed
    }
}
