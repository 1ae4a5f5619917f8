// SPDX-License-Identifier: Apache-2.0
internal import CLibDRM
import Glibc
import System

/// An open graphics card that shows pictures out of plain memory, closed with the last who holds it.
final class KMSCard {
    private let file: FileDescriptor

    var descriptor: CInt { file.rawValue }

    /// - Parameter path: `/dev/dri/card0`.
    init(opening path: String) throws(DisplayError) {
        let opened = open(path, O_RDWR | O_CLOEXEC)
        guard opened >= 0 else { throw .kms("open \(path)", code: errno) }
        file = FileDescriptor(adopting: opened)
        var hasBuffers: UInt64 = 0
        guard drmGetCap(opened, UInt64(DRM_CAP_DUMB_BUFFER), &hasBuffers) == 0, hasBuffers == 1 else {
            throw .missing("dumb buffers of \(path)")
        }
    }

    /// Those of this machine that can be opened.
    static var all: [KMSCard] { (0..<16).compactMap { try? KMSCard(opening: "/dev/dri/card\($0)") } }

    /// - Throws: what a call of libdrm returned, which is a negative errno.
    static func check(_ call: String, _ result: CInt) throws(DisplayError) {
        guard result == 0 else { throw .kms(call, code: result < -1 ? -result : errno) }
    }
}
