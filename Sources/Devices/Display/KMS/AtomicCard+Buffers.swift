// SPDX-License-Identifier: Apache-2.0
internal import CLibDRM
import Glibc
import Scene

extension AtomicCard {
    func makeBuffer(_ size: PixelSize) throws(DisplayError) -> KMSBuffer {
        let (width, height) = (UInt32(size.width), UInt32(size.height))
        var handle: UInt32 = 0
        var pitch: UInt32 = 0
        var octets: UInt64 = 0
        guard drmModeCreateDumbBuffer(descriptor, width, height, 32, 0, &handle, &pitch, &octets) == 0 else {
            throw .kms("create dumb buffer", code: errno)
        }
        var frame: UInt32 = 0
        guard
            drmModeAddFB2(
                descriptor, width, height, tl_drm_xrgb8888, [handle, 0, 0, 0], [pitch, 0, 0, 0], [0, 0, 0, 0], &frame,
                0) == 0
        else {
            let code = errno
            drmModeDestroyDumbBuffer(descriptor, handle)
            throw .kms("add frame buffer", code: code)
        }
        var offset: UInt64 = 0
        guard drmModeMapDumbBuffer(descriptor, handle, &offset) == 0, Int(pitch) >= size.width * 4,
            octets >= UInt64(pitch) * UInt64(height),
            let mapped = mmap(nil, Int(octets), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, off_t(offset)),
            mapped != MAP_FAILED
        else {
            let code = errno
            drmModeRmFB(descriptor, frame)
            drmModeDestroyDumbBuffer(descriptor, handle)
            throw .kms("map dumb buffer", code: code)
        }
        let memory = UnsafeMutableRawBufferPointer(start: mapped, count: Int(octets))
        return KMSBuffer(size, frame: frame, pitch: Int(pitch), memory: memory) { [self, handle, frame] in
            munmap(memory.baseAddress, memory.count)
            drmModeRmFB(descriptor, frame)
            drmModeDestroyDumbBuffer(descriptor, handle)
        }
    }
}

extension AtomicCard {
    /// How pixels may lie that a plane shows, as `drm_fourcc.h` numbers it; empty where it does not say.
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

    /// - Parameters:
    ///   - picture: whose descriptors are of no matter.
    ///   - handles: the card's own, of each plane.
    func addFrame(_ picture: SharedPicture, handles: [UInt32]) throws(DisplayError) -> UInt32 {
        func four<Value: FixedWidthInteger>(_ values: [Value]) -> [Value] {
            values + Array(repeating: 0, count: 4 - values.count)
        }
        var frame: UInt32 = 0
        let flags = picture.modifier == nil ? 0 : UInt32(DRM_MODE_FB_MODIFIERS)
        let modifiers = handles.map { _ in picture.modifier ?? 0 }
        guard
            drmModeAddFB2WithModifiers(
                descriptor, UInt32(picture.width), UInt32(picture.height), picture.fourCC, four(handles),
                four(picture.planes.map(\.pitch)), four(picture.planes.map(\.offset)), four(modifiers), &frame, flags)
                == 0
        else { throw .kms("add frame buffer \(picture.summary)", code: errno) }
        return frame
    }

    // What is shown goes dark with it; a card that is gone has none.
    func removeFrame(_ frame: UInt32) { drmModeRmFB(descriptor, frame) }
}

extension KMSPlane {
    /// Nil when it is gone, or of a kind that we do not know.
    init?(_ id: UInt32, _ kind: UInt64, among controllers: [UInt32], _ descriptor: CInt) {
        guard let kind = Kind(rawValue: kind), let plane = drmModeGetPlane(descriptor, id) else { return nil }
        defer { drmModeFreePlane(plane) }
        self.init(
            id: id, kind: kind,
            formats: Array(UnsafeBufferPointer(start: plane.pointee.formats, count: Int(plane.pointee.count_formats))),
            controllers: AtomicCard.controllers(plane.pointee.possible_crtcs, of: controllers))
    }

    /// Whether it takes blue, green, red and an octet that is ignored.
    var takesPlainPictures: Bool { formats.contains(KMSPlane.plainFormat) }
    static var plainFormat: UInt32 { tl_drm_xrgb8888 }
}

extension KMSTiming {
    /// Nil for one of no rate.
    init?(_ timing: drmModeModeInfo) {
        func has(_ flag: Int) -> Bool { timing.flags & UInt32(flag) != 0 }
        let isInterlaced = has(Int(DRM_MODE_FLAG_INTERLACE))
        let refresh = KMSMode.refresh(
            clock: timing.clock, total: PixelSize(width: Int(timing.htotal), height: Int(timing.vtotal)),
            isInterlaced: isInterlaced, isDoubleScanned: has(Int(DRM_MODE_FLAG_DBLSCAN)), lineRepeats: timing.vscan)
        let size = PixelSize(width: Int(timing.hdisplay), height: Int(timing.vdisplay))
        guard let refresh, (1...16_384).contains(size.width), (1...16_384).contains(size.height) else { return nil }
        self.init(
            mode: KMSMode(
                size: size, refresh: refresh, isInterlaced: isInterlaced,
                isPreferred: timing.type & UInt32(DRM_MODE_TYPE_PREFERRED) != 0),
            octets: withUnsafeBytes(of: timing) { Array($0) })
    }
}
