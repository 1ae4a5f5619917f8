// SPDX-License-Identifier: Apache-2.0
import Conversion
import Media
import Scene

@testable import Presentation

/// The scene composed anew, pixel by pixel in plain arithmetic: what the compositor is held to.
struct ReferenceScene {
    var layout = StageLayout.fullScreen
    /// By region: the seed of its picture, and its size.
    var pictures: [String: (seed: Int64, size: PixelSize)] = [:]
    var overlays: [OverlayPlane: OverlayPicture] = [:]
    /// With the left edge of its text.
    var ticker: (strip: TickerStrip, x: Int)?
    let size: PixelSize

    init(size: PixelSize) { self.size = size }

    func render() throws -> Picture {
        var stage = Picture(size: size, colour: 0x10_2038)
        for region in layout.drawOrder where region.layer == .video { try draw(region, on: &stage) }
        if let (strip, x) = ticker {
            for row in strip.area.y..<strip.area.bottom {
                for column in strip.area.x..<strip.area.right {
                    blend(strip.band, onto: &stage, column, row)
                    let (textX, textY) = (column - x, row - strip.area.y)
                    if (0..<strip.canvas.width).contains(textX), (0..<strip.canvas.height).contains(textY) {
                        blend(strip.canvas.word(textX, textY), onto: &stage, column, row)
                    }
                }
            }
        }
        for layer in StageLayer.allCases {
            for region in layout.drawOrder where layer != .video && region.layer == layer {
                try draw(region, on: &stage)
            }
            drawOverlays(of: layer, on: &stage)
        }
        return stage
    }

    private func drawOverlays(of layer: StageLayer, on stage: inout Picture) {
        for plane in OverlayPlane.allCases where plane.layer == layer {
            guard let overlay = overlays[plane] else { continue }
            for row in 0..<overlay.canvas.height {
                for column in 0..<overlay.canvas.width {
                    blend(overlay.canvas.word(column, row), onto: &stage, overlay.x + column, overlay.y + row)
                }
            }
        }
    }

    private func draw(_ region: Region, on stage: inout Picture) throws {
        let area = region.area.pixels(of: size)
        let opacity = UInt32(region.opacityOf255)
        var tile = Picture(size: area.size, colour: 0x10_2038)
        if let (seed, picture) = pictures[region.name] {
            tile = Picture(size: area.size, colour: 0)
            let placement = region.placement(of: picture, on: size)
            let place = placement.destination
            let sideways = placement.rotation.isSideways
            let upright = sideways ? PixelSize(width: place.size.height, height: place.size.width) : place.size
            let canvas = CanvasBuffer(width: upright.width, height: upright.height)
            var converter = VideoConverter()
            let whole = PixelRectangle(x: 0, y: 0, size: upright)
            try converter.draw(TestFrame.make(seed, picture), crop: placement.crop, in: whole, of: canvas)
            let converted = Picture(canvas)
            for y in 0..<place.size.height {
                for x in 0..<place.size.width {
                    let (fromX, fromY) =
                        switch placement.rotation {
                        case .upright: (x, y)
                        case .quarter: (y, upright.height - 1 - x)
                        case .half: (upright.width - 1 - x, upright.height - 1 - y)
                        case .threeQuarters: (upright.width - 1 - y, x)
                        }
                    tile[place.x - area.x + x, place.y - area.y + y] = converted[fromX, fromY]
                }
            }
        }
        for y in 0..<area.size.height {
            for x in 0..<area.size.width {
                let (new, at) = (tile.pixels[y * area.size.width + x], (area.y + y) * size.width + area.x + x)
                stage.pixels[at] =
                    opacity == 255
                    ? new
                    : channels(new, stage.pixels[at]) { ($0 * opacity * 2 + $1 * (255 - opacity) * 2 + 255) / 510 }
            }
        }
    }

    private func blend(_ above: UInt32, onto stage: inout Picture, _ x: Int, _ y: Int) {
        guard above > 0, (0..<size.width).contains(x), (0..<size.height).contains(y) else { return }
        stage[x, y] = channels(above, stage[x, y]) { $0 + ($1 * (255 - above >> 24) * 2 + 255) / 510 }
    }

    private func channels(_ new: UInt32, _ old: UInt32, _ body: (UInt32, UInt32) -> UInt32) -> UInt32 {
        var result: UInt32 = 0
        for shift: UInt32 in [0, 8, 16] { result |= body(new >> shift & 0xff, old >> shift & 0xff) << shift }
        return result
    }
}

extension CanvasBuffer {
    /// 0xAARRGGBB.
    func word(_ x: Int, _ y: Int) -> UInt32 {
        bytes.loadUnaligned(fromByteOffset: y * stride + x * 4, as: UInt32.self)
    }

    /// A premultiplied pattern, more and less transparent.
    static func pattern(_ size: PixelSize, seed: UInt32) -> CanvasBuffer {
        let canvas = CanvasBuffer(width: size.width, height: size.height)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let alpha = UInt32(x * 7 + y * 3) % 256
                let red = alpha * (seed * 53 % 256) / 255
                let green = alpha * (seed * 101 % 256) / 255
                let word = alpha << 24 | red << 16 | green << 8 | alpha / 2
                canvas.bytes.storeBytes(of: word, toByteOffset: y * canvas.stride + x * 4, as: UInt32.self)
            }
        }
        return canvas
    }
}
