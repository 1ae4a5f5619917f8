// SPDX-License-Identifier: Apache-2.0
import Media
import Scene

/// The textures of one object that is drawn repeatedly. They are made again when its format or size changes.
final class TextureSlot {
    /// 1...3 for a picture's planes, or one for a canvas.
    private(set) var textures: [Texture] = []
    private var version: Int?
    private let context: GLESContext
    private var shared = ImportCache<[Texture]>()
    /// The picture's loan, if the textures are its memory.
    private var kind: PictureImporter.Kind?

    init(in context: GLESContext) {
        self.context = context
        textures.reserveCapacity(3)
    }

    /// - Parameter new: number of the picture; the same number is not uploaded again.
    func upload(_ frame: borrowing VideoFrame, version new: Int) {
        guard version != new || textures.count != frame.format.planeCount else { return }
        version = new
        let (format, width, height) = (frame.format, frame.width, frame.height)
        for index in 0..<format.planeCount {
            let kind = Texture.Format(ofPlane: index, of: format)
            let plane = index == 0 ? frame.planes.0 : index == 1 ? frame.planes.1 : frame.planes.2
            texture(index, kind, kind.size(ofPlane: index, of: format, width: width, height: height))
                .upload(plane.base, stride: plane.stride)
        }
        textures.removeLast(textures.count - format.planeCount)
    }

    /// Uses the picture's own memory as textures.
    /// - Parameter new: as in `upload`.
    /// - Returns: false if the picture must be uploaded.
    func adopt(_ frame: borrowing VideoFrame, version new: Int, by importer: PictureImporter) -> Bool {
        guard let kind = importer.kind(of: frame), let picture = frame.shared else {
            dropShared()
            return false
        }
        if self.kind == kind, version == new { return true }
        do throws(DisplayError) {
            textures = try shared.image(of: picture) { picture throws(DisplayError) -> [Texture] in
                try importer.textures(of: picture, kind)
            }
        } catch {
            dropShared()
            return false
        }
        for texture in textures { texture.refresh() }
        (version, self.kind) = (new, kind)
        importer.counted()
        return true
    }

    private func dropShared() {
        guard kind != nil else { return }
        shared.removeAll()
        (kind, textures, version) = (nil, [], nil)
    }

    func holdsCanvas(of size: PixelSize) -> Bool {
        textures.count == 1 && textures[0].format == .canvas && textures[0].size == size
    }

    func upload(_ canvas: borrowing CanvasBuffer) {
        dropShared()
        version = nil
        guard let pixels = canvas.bytes.baseAddress else { return }
        texture(0, .canvas, PixelSize(width: canvas.width, height: canvas.height))
            .upload(pixels, stride: canvas.stride)
        textures.removeLast(textures.count - 1)
    }

    private func texture(_ index: Int, _ format: Texture.Format, _ size: PixelSize) -> Texture {
        if index < textures.count {
            let kept = textures[index]
            if kept.format == format, kept.size == size { return kept }
            let made = Texture(format, size: size, in: context)
            textures[index] = made
            return made
        }
        let made = Texture(format, size: size, in: context)
        textures.append(made)
        return made
    }
}
