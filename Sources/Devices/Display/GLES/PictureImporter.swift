// SPDX-License-Identifier: Apache-2.0
internal import CGLESShims
import Media
import Scene

/// Gives pictures in shared memory to the GPU as textures without a copy. Each plane is one texture, so that matrix,
/// range and chroma siting are ours and equal for all drivers. What a driver refuses is uploaded instead.
/// - Thread: the context's.
final class PictureImporter {
    /// The properties of a picture on which a driver's refusal depends.
    struct Kind: Hashable {
        let format: VideoFrame.PixelFormat
        let fourCC: UInt32
        let modifier: UInt64?
        let coded: PixelSize
    }

    /// Number of pictures drawn from their own memory.
    private(set) var count: Int64 = 0
    /// Why the last refused kind was refused.
    private(set) var refusal: DisplayError?
    private let context: GLESContext
    private var refused: Set<Kind> = []
    private var made: PictureProgram?
    private let isThere: Bool

    /// Limit on the refused kinds that are remembered; a stream may have any number.
    private static let mostRefused = 64

    /// - Parameter isForced: whether to import with a software renderer too. That saves nothing, and Mesa crashes over
    ///   a card's memory (25.0, llvmpipe over vkms).
    init(isForced: Bool = false, in context: GLESContext) {
        self.context = context
        isThere =
            (isForced || !context.isSoftware) && context.display.extensions.contains("EGL_EXT_image_dma_buf_import")
            && context.extensions.contains("GL_OES_EGL_image")
    }

    /// The program that draws from imported textures.
    func program() throws(DisplayError) -> PictureProgram {
        if let made { return made }
        let program = try PictureProgram(readsShared: true, in: context)
        made = program
        return program
    }

    /// nil if the picture must be uploaded.
    func kind(of frame: borrowing VideoFrame) -> Kind? {
        guard isThere, let shared = frame.shared, shared.planes.count == frame.format.planeCount else { return nil }
        // Linear layouts only: the layout of other modifiers is defined for the whole buffer, not for one plane.
        guard shared.fourCC == frame.format.fourCC, shared.modifier ?? 0 == 0 else { return nil }
        // Chroma and fields begin where luma does, so the origin is even.
        guard shared.left % 2 == 0, shared.top % 2 == 0 else { return nil }
        let kind = Kind(
            format: frame.format, fourCC: shared.fourCC, modifier: shared.modifier,
            coded: PixelSize(width: shared.width, height: shared.height))
        return refused.contains(kind) ? nil : kind
    }

    /// - Returns: a texture for each plane, of the coded size.
    /// - Throws: if the driver refuses this kind; `kind` returns nil for it from then on.
    func textures(of shared: SharedPicture, _ kind: Kind) throws(DisplayError) -> [Texture] {
        do throws(DisplayError) {
            var textures: [Texture] = []
            for (index, plane) in shared.planes.enumerated() {
                let format = Texture.Format(ofPlane: index, of: kind.format)
                let size = format.size(
                    ofPlane: index, of: kind.format, width: kind.coded.width, height: kind.coded.height)
                let image = try GLESImage(
                    SharedPicture(
                        width: size.width, height: size.height, fourCC: format.sharedCode, modifier: shared.modifier,
                        planes: [plane]), on: context.display)
                textures.append(Texture(sharing: image, as: format, in: context))
            }
            if let code = context.takeError() { throw .gl(code: code) }
            _ = try program()
            return textures
        } catch {
            refusal = error
            if refused.count == Self.mostRefused { refused = [] }
            refused.insert(kind)
            throw error
        }
    }

    func counted() { count += 1 }
}
