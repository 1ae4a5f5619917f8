// SPDX-License-Identifier: Apache-2.0
internal import CLibDRM
import Glibc
import Media
import Scene

extension AtomicCard {
    func makeDumbBuffer(_ size: PixelSize, bitsPerPixel: UInt32) throws(DisplayError) -> DumbBuffer {
        var handle: UInt32 = 0
        var pitch: UInt32 = 0
        var octets: UInt64 = 0
        guard
            drmModeCreateDumbBuffer(
                descriptor, UInt32(size.width), UInt32(size.height), bitsPerPixel, 0, &handle, &pitch, &octets) == 0
        else { throw .kms("create dumb buffer", code: errno) }
        var offset: UInt64 = 0
        guard drmModeMapDumbBuffer(descriptor, handle, &offset) == 0, Int(pitch) >= size.width * Int(bitsPerPixel / 8),
            octets >= UInt64(pitch) * UInt64(size.height),
            let mapped = mmap(nil, Int(octets), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, off_t(offset)),
            mapped != MAP_FAILED
        else {
            let code = errno
            drmModeDestroyDumbBuffer(descriptor, handle)
            throw .kms("map dumb buffer", code: code)
        }
        let memory = UnsafeMutableRawBufferPointer(start: mapped, count: Int(octets))
        return DumbBuffer(adopting: handle, pitch: Int(pitch), memory: memory, of: self)
    }

    func destroyDumbBuffer(_ handle: UInt32, _ memory: UnsafeMutableRawBufferPointer) {
        munmap(memory.baseAddress, memory.count)
        drmModeDestroyDumbBuffer(descriptor, handle)
    }

    func addFramebuffer(_ picture: SharedPicture, handles: [UInt32]) throws(DisplayError) -> Framebuffer {
        func four<Value: FixedWidthInteger>(_ values: [Value]) -> [Value] {
            values + Array(repeating: 0, count: 4 - values.count)
        }
        var id: UInt32 = 0
        let flags = picture.modifier == nil ? 0 : UInt32(DRM_MODE_FB_MODIFIERS)
        let modifiers = handles.map { _ in picture.modifier ?? 0 }
        guard
            drmModeAddFB2WithModifiers(
                descriptor, UInt32(picture.width), UInt32(picture.height), picture.fourCC, four(handles),
                four(picture.planes.map(\.pitch)), four(picture.planes.map(\.offset)), four(modifiers), &id, flags) == 0
        else { throw .kms("add framebuffer \(picture.summary)", code: errno) }
        return Framebuffer(adopting: id, of: self)
    }

    // If the card is gone, so are its framebuffers, and the call fails without harm.
    func removeFramebuffer(_ id: UInt32) { drmModeRmFB(descriptor, id) }

    func importFramebuffer(_ picture: SharedPicture) throws(DisplayError) -> ImportedFramebuffer {
        guard (1...4).contains(picture.planes.count) else { throw .missing("planes of \(picture.summary)") }
        var handles: [UInt32] = []
        // The framebuffer keeps the memory. The kernel returns the same handle for the same memory each time, so each
        // handle is closed once.
        defer { for handle in Set(handles) { drmCloseBufferHandle(descriptor, handle) } }
        for plane in picture.planes {
            var handle: UInt32 = 0
            guard drmPrimeFDToHandle(descriptor, plane.descriptor, &handle) == 0 else {
                throw .kms("import \(picture.summary)", code: errno)
            }
            handles.append(handle)
        }
        return ImportedFramebuffer(try addFramebuffer(picture, handles: handles))
    }

    /// - Returns: the modifiers (`drm_fourcc.h`) with which the plane shows the format; empty if it does not report it.
    func modifiers(of plane: UInt32, showing format: UInt32) -> [UInt64] {
        var takes: UInt64 = 0
        guard drmGetCap(descriptor, UInt64(DRM_CAP_ADDFB2_MODIFIERS), &takes) == 0, takes == 1,
            let number = values(of: plane)[.inFormats].map({ UInt32(truncatingIfNeeded: $0) }), number != 0,
            let blob = drmModeGetPropertyBlob(descriptor, number)
        else { return [] }
        defer { drmModeFreePropertyBlob(blob) }
        var pair = drmModeFormatModifierIterator()
        var found: [UInt64] = []
        while drmModeFormatModifierBlobIterNext(blob, &pair) { if pair.fmt == format { found.append(pair.mod) } }
        return found
    }
}
