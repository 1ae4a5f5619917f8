// SPDX-License-Identifier: Apache-2.0
internal import CGLESShims
import Media
import Scene

/// Pixels that a program reads one by one: nothing is filtered between them.
final class Texture {
    /// What a pixel is, in memory and to the program that reads it.
    enum Format {
        /// One or two samples of a plane, as they are.
        case octet, octetPair, word, wordPair
        /// 4 octets, as 0...1.
        case canvas

        var octets: Int {
            switch self {
            case .octet: 1
            case .octetPair, .word: 2
            case .wordPair, .canvas: 4
            }
        }

        /// Of a picture's plane.
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

        /// As `drm_fourcc.h` names what it is in memory.
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
    /// What it shares its memory with; nil: it has its own.
    private let image: GLESImage?

    /// The context is current, and `size` within its limit.
    init(_ format: Format, size: PixelSize, in context: GLESContext) {
        self.format = format
        self.size = size
        self.context = context
        image = nil
        name = Self.name(in: context)
        context.calls.glTexStorage2D(
            GLenum(GL_TEXTURE_2D), 1, GLenum(format.codes.stored), GLsizei(size.width), GLsizei(size.height))
    }

    /// Its pixels are the image's, which a program reads as 0...1 whatever the format. The context is current.
    init(sharing image: GLESImage, as format: Format, in context: GLESContext) {
        self.format = format
        self.context = context
        size = image.size
        name = Self.name(in: context)
        self.image = image
        refresh()
    }

    /// Bound.
    private static func name(in context: GLESContext) -> GLuint {
        var made: GLuint = 0
        let gl = context.calls
        gl.glGenTextures(1, &made)
        gl.glBindTexture(GLenum(GL_TEXTURE_2D), made)
        // Whole numbers have no other filter.
        gl.glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_MIN_FILTER), GL_NEAREST)
        gl.glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_MAG_FILTER), GL_NEAREST)
        return made
    }

    /// What others wrote into the memory that it shares is seen from here on.
    func refresh() {
        let gl = context.calls
        gl.glBindTexture(GLenum(GL_TEXTURE_2D), name)
        if let handle = image?.handle { gl.glEGLImageTargetTexture2DOES(GLenum(GL_TEXTURE_2D), handle) }
    }

    deinit {
        var old = name
        context.delete { $0.glDeleteTextures(1, &old) }
    }

    /// - Parameter stride: octets from a row to the next; negative where the lowest row comes first.
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

    /// Takes the pixels of the framebuffer that is drawn into; of the same size.
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
