// SPDX-License-Identifier: Apache-2.0
import Glibc
import Scene

/// Why something could not be drawn or shown.
public enum DisplayError: Error, Hashable, Sendable, CustomStringConvertible {
    /// This machine lacks a library, or one of its functions or extensions.
    case missing(String)
    /// A call of EGL, with the code of eglGetError.
    case egl(String, code: Int32)
    /// The first code of glGetError since drawing began.
    case gl(code: UInt32)
    /// A driver refused a shader program, with its message.
    case shader(String)
    /// A call of the kernel's, with its errno.
    case kms(String, code: Int32)
    /// A picture is larger than the GPU's textures.
    case tooLarge(PixelSize, limit: Int)

    public var description: String {
        switch self {
        case .missing(let name): "\(name) is missing"
        case .egl(let call, let code): "\(call) failed with 0x\(String(code, radix: 16))"
        case .gl(let code): "OpenGL ES failed with 0x\(String(code, radix: 16))"
        case .shader(let text): "the driver refused a program: \(text)"
        case .kms(let call, let code): "\(call) failed: \(String(cString: strerror(code)))"
        case .tooLarge(let size, let limit): "\(size) is larger than a texture of \(limit)"
        }
    }
}
