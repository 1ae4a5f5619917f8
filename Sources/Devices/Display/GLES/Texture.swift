// SPDX-License-Identifier: Apache-2.0
internal import CGLESShims
import Media
import Scene

/// A texture that programs read pixel by pixel, without filtering.
final class Texture {
    /// A pixel's format in memory and in the program that reads it.
    enum Format {
        /// One or two samples of a plane, read as integers.
        case octet, octetPair, word, wordPair
        /// Four octets, each read as 0...1.
        case canvas

        var octets: Int {
            switch self {
            case .octet: 1
            case .octetPair, .word: 2
            case .wordPair, .canvas: 4
            }
        }

        /// The format of a picture's plane.
        init(ofPlane index: Int, of format: VideoFrame.PixelFormat) {
            self =
                switch (format.sampleOctets, index > 0 && format.planeCount == 2) {
                case (1, false): .octet
                case (1, true): .octetPair
                case (_, false): .word
                case (_, true): .wordPair
                }
        }

        func size(ofPlane index: Int, of format: VideoFrame.PixelFormat, width: Int, height: Int) -> PixelSize {
            let (octets, rows) = format.extent(ofPlane: index, width: width, height: height)
            return PixelSize(width: octets / self.octets, height: rows)
        }

        /// The corresponding code of `drm_fourcc.h`.
        var sharedCode: UInt32 {
            switch self {
            case .octet: 0x2020_3852  // R8
            case .octetPair: 0x3838_5247  // GR88
            case .word: 0x2036_3152  // R16
            case .wordPair: 0x3233_5247  // GR32
            case .canvas: 0x3432_4241  // AB24
            }
        }

        fileprivate var codes: (stored: Int32, format: Int32, type: Int32) {
            switch self {
            case .octet: (GL_R8UI, GL_RED_INTEGER, GL_UNSIGNED_BYTE)
            case .octetPair: (GL_RG8UI, GL_RG_INTEGER, GL_UNSIGNED_BYTE)
            case .word: (GL_R16UI, GL_RED_INTEGER, GL_UNSIGNED_SHORT)
            case .wordPair: (GL_RG16UI, GL_RG_INTEGER, GL_UNSIGNED_SHORT)
            case .canvas: (GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE)
            }
        }
    }

    let format: Format
    let size: PixelSize
    let name: GLuint
    private let context: GLESContext
    /// The image whose memory it shares; nil if it has its own memory.
    private let image: GLESImage?

    /// The context must be current, and `size` within its limit.
    init(_ format: Format, size: PixelSize, in context: GLESContext) {
        self.format = format
        self.size = size
        self.context = context
        image = nil
        name = Self.name(in: context)
        context.calls.glTexStorage2D(
            GLenum(GL_TEXTURE_2D), 1, GLenum(format.codes.stored), GLsizei(size.width), GLsizei(size.height))
    }

    /// Shares the image's memory, which programs read as 0...1 in all formats. The context must be current.
    init(sharing image: GLESImage, as format: Format, in context: GLESContext) {
        self.format = format
        self.context = context
        size = image.size
        name = Self.name(in: context)
        self.image = image
        refresh()
    }

    /// Makes a texture name and binds it.
    private static func name(in context: GLESContext) -> GLuint {
        var made: GLuint = 0
        let gl = context.calls
        gl.glGenTextures(1, &made)
        gl.glBindTexture(GLenum(GL_TEXTURE_2D), made)
        // Integer textures allow no other filter.
        gl.glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_MIN_FILTER), GL_NEAREST)
        gl.glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_MAG_FILTER), GL_NEAREST)
        return made
    }

    /// Makes programs see what others wrote into the shared memory.
    func refresh() {
        let gl = context.calls
        gl.glBindTexture(GLenum(GL_TEXTURE_2D), name)
        if let handle = image?.handle { gl.glEGLImageTargetTexture2DOES(GLenum(GL_TEXTURE_2D), handle) }
    }

    deinit {
        var old = name
        context.delete { $0.glDeleteTextures(1, &old) }
    }

    /// - Parameter stride: octets from one row to the next; negative if the bottom row comes first.
    func upload(_ pixels: UnsafeRawPointer, stride: Int) {
        let gl = context.calls
        gl.glBindTexture(GLenum(GL_TEXTURE_2D), name)
        let (columns, rows) = (GLsizei(size.width), GLsizei(size.height))
        let (_, kind, type) = format.codes
        if stride > 0, stride % format.octets == 0, stride / format.octets <= Int32.max {
            gl.glPixelStorei(GLenum(GL_UNPACK_ROW_LENGTH), GLint(stride / format.octets))
            gl.glTexSubImage2D(GLenum(GL_TEXTURE_2D), 0, 0, 0, columns, rows, GLenum(kind), GLenum(type), pixels)
        } else {
            gl.glPixelStorei(GLenum(GL_UNPACK_ROW_LENGTH), 0)
            for row in 0..<size.height {
                gl.glTexSubImage2D(
                    GLenum(GL_TEXTURE_2D), 0, 0, GLint(row), columns, 1, GLenum(kind), GLenum(type),
                    pixels + row * stride)
            }
        }
    }

    /// Copies the pixels of the bound framebuffer, which must have the same size.
    func copyFromFramebuffer() {
        let gl = context.calls
        gl.glBindTexture(GLenum(GL_TEXTURE_2D), name)
        gl.glCopyTexSubImage2D(GLenum(GL_TEXTURE_2D), 0, 0, 0, 0, 0, GLsizei(size.width), GLsizei(size.height))
    }

    func bind(to unit: Int32) {
        context.calls.glActiveTexture(GLenum(GL_TEXTURE0 + unit))
        context.calls.glBindTexture(GLenum(GL_TEXTURE_2D), name)
        context.calls.glActiveTexture(GLenum(GL_TEXTURE0))
    }
}
