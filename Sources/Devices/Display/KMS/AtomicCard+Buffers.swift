// SPDX-License-Identifier: Apache-2.0
internal import CLibDRM
import Glibc
import Media
import Scene

extension AtomicCard {
    func makeCanvasFramebuffer(_ size: PixelSize) throws(DisplayError) -> CanvasFramebuffer {
        let dumb = try DumbBuffer(size, bits: 32, descriptor)
        let framebuffer: UInt32
        var blendedFramebuffer: UInt32 = 0
        do throws(DisplayError) {
            framebuffer = try dumb.addFramebuffer(KMSPlane.xrgb8888, size, [(0, dumb.pitch)])
            if planes.contains(where: \.blendsPremultiplied) {
                // Who cannot have it composes everything.
                blendedFramebuffer = (try? dumb.addFramebuffer(KMSPlane.argb8888, size, [(0, dumb.pitch)])) ?? 0
            }
        } catch {
            dumb.giveBack()
            throw error
        }
        return CanvasFramebuffer(
            size, framebuffer: framebuffer, blendedFramebuffer: blendedFramebuffer, pitch: dumb.pitch,
            memory: dumb.memory
        ) {
            [self, blendedFramebuffer] in
            if blendedFramebuffer != 0 { drmModeRmFB(descriptor, blendedFramebuffer) }
            drmModeRmFB(descriptor, framebuffer)
            dumb.giveBack()
        }
    }

    func makeVideoFramebuffer(_ format: VideoFrame.PixelFormat, _ size: PixelSize) throws(DisplayError)
        -> VideoFramebuffer
    {
        guard let code = format.fourCC else { throw .missing("a code of \(format)") }
        // A pitch that halves well, for the chroma of three planes.
        let width = (size.width + 127) & ~127
        let dumb = try DumbBuffer(PixelSize(width: width, height: size.height * 3 / 2), bits: 8, descriptor)
        do throws(DisplayError) {
            let framebuffer = try dumb.addFramebuffer(code, size, format.layout(pitch: dumb.pitch, height: size.height))
            return VideoFramebuffer(format, size, framebuffer: framebuffer, pitch: dumb.pitch, memory: dumb.memory) {
                [self] in
                drmModeRmFB(descriptor, framebuffer)
                dumb.giveBack()
            }
        } catch {
            dumb.giveBack()
            throw error
        }
    }
}

/// Memory of a card for pictures, mapped; to be given back once.
private struct DumbBuffer {
    let pitch: Int
    let memory: UnsafeMutableRawBufferPointer
    private let descriptor: CInt
    private let handle: UInt32

    init(_ size: PixelSize, bits: UInt32, _ descriptor: CInt) throws(DisplayError) {
        var handle: UInt32 = 0
        var pitch: UInt32 = 0
        var octets: UInt64 = 0
        guard
            drmModeCreateDumbBuffer(
                descriptor, UInt32(size.width), UInt32(size.height), bits, 0, &handle, &pitch, &octets) == 0
        else { throw .kms("create dumb buffer", code: errno) }
        var offset: UInt64 = 0
        guard drmModeMapDumbBuffer(descriptor, handle, &offset) == 0, Int(pitch) >= size.width * Int(bits / 8),
            octets >= UInt64(pitch) * UInt64(size.height),
            let mapped = mmap(nil, Int(octets), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, off_t(offset)),
            mapped != MAP_FAILED
        else {
            let code = errno
            drmModeDestroyDumbBuffer(descriptor, handle)
            throw .kms("map dumb buffer", code: code)
        }
        self.pitch = Int(pitch)
        memory = UnsafeMutableRawBufferPointer(start: mapped, count: Int(octets))
        self.descriptor = descriptor
        self.handle = handle
    }

    /// - Parameter layout: of each plane.
    func addFramebuffer(
        _ format: UInt32, _ size: PixelSize, _ layout: [(offset: Int, pitch: Int)]
    ) throws(DisplayError) -> UInt32 {
        func four(_ value: (_ plane: Int) -> UInt32) -> [UInt32] { (0..<4).map { $0 < layout.count ? value($0) : 0 } }
        var framebuffer: UInt32 = 0
        guard
            drmModeAddFB2(
                descriptor, UInt32(size.width), UInt32(size.height), format, four { _ in handle },
                four { UInt32(layout[$0].pitch) }, four { UInt32(layout[$0].offset) }, &framebuffer, 0) == 0
        else { throw .kms("add framebuffer", code: errno) }
        return framebuffer
    }

    func giveBack() {
        munmap(memory.baseAddress, memory.count)
        drmModeDestroyDumbBuffer(descriptor, handle)
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
    func addFramebuffer(_ picture: SharedPicture, handles: [UInt32]) throws(DisplayError) -> UInt32 {
        func four<Value: FixedWidthInteger>(_ values: [Value]) -> [Value] {
            values + Array(repeating: 0, count: 4 - values.count)
        }
        var framebuffer: UInt32 = 0
        let flags = picture.modifier == nil ? 0 : UInt32(DRM_MODE_FB_MODIFIERS)
        let modifiers = handles.map { _ in picture.modifier ?? 0 }
        guard
            drmModeAddFB2WithModifiers(
                descriptor, UInt32(picture.width), UInt32(picture.height), picture.fourCC, four(handles),
                four(picture.planes.map(\.pitch)), four(picture.planes.map(\.offset)), four(modifiers), &framebuffer,
                flags)
                == 0
        else { throw .kms("add framebuffer \(picture.summary)", code: errno) }
        return framebuffer
    }

    func importFramebuffer(_ picture: SharedPicture) throws(DisplayError) -> ImportedFramebuffer {
        guard (1...4).contains(picture.planes.count) else { throw .missing("planes of \(picture.summary)") }
        var handles: [UInt32] = []
        // The framebuffer keeps the memory. Of one memory the kernel makes one handle, however often it is asked.
        defer { for handle in Set(handles) { drmCloseBufferHandle(descriptor, handle) } }
        for plane in picture.planes {
            var handle: UInt32 = 0
            guard drmPrimeFDToHandle(descriptor, plane.descriptor, &handle) == 0 else {
                throw .kms("import \(picture.summary)", code: errno)
            }
            handles.append(handle)
        }
        let framebuffer = try addFramebuffer(picture, handles: handles)
        return ImportedFramebuffer(framebuffer: framebuffer) { [self] in removeFramebuffer(framebuffer) }
    }

    // What is shown goes dark with it; a card that is gone has none.
    func removeFramebuffer(_ framebuffer: UInt32) { drmModeRmFB(descriptor, framebuffer) }
}

extension KMSPlane {
    /// Nil when it is gone, or of a kind that we do not know.
    init?(_ id: UInt32, _ kind: UInt64, among crtcs: [UInt32], _ descriptor: CInt) {
        guard let kind = Kind(rawValue: kind), let plane = drmModeGetPlane(descriptor, id) else { return nil }
        defer { drmModeFreePlane(plane) }
        self.init(
            id: id, kind: kind,
            formats: Array(UnsafeBufferPointer(start: plane.pointee.formats, count: Int(plane.pointee.count_formats))),
            crtcs: AtomicCard.crtcs(plane.pointee.possible_crtcs, of: crtcs))
        guard let list = drmModeObjectGetProperties(descriptor, id, UInt32(DRM_MODE_OBJECT_PLANE)) else { return }
        defer { drmModeFreeObjectProperties(list) }
        for index in 0..<Int(list.pointee.count_props) {
            guard let property = drmModeGetProperty(descriptor, list.pointee.props[index]) else { continue }
            defer { drmModeFreeProperty(property) }
            note(property.pointee, value: list.pointee.prop_values[index])
        }
    }

    private mutating func note(_ property: drmModePropertyRes, value: UInt64) {
        switch KMSProperty(rawValue: text(of: property.name)) {
        case .order:
            let bounds = UnsafeBufferPointer(start: property.values, count: Int(max(0, property.count_values)))
            let isFixed = property.flags & UInt32(DRM_MODE_PROP_IMMUTABLE) != 0
            if !isFixed, bounds.count == 2, bounds[0] <= bounds[1] {
                order = Order(value: value, range: bounds[0]...bounds[1])
            } else {
                order = Order(value: value, range: value...value)
            }
        case .opacity: hasOpacity = true
        case .some(let known) where [.blending, .encoding, .range].contains(known):
            let values = UnsafeBufferPointer(start: property.enums, count: Int(max(0, property.count_enums)))
            choices[known] = Dictionary(values.map { (text(of: $0.name), $0.value) }) { first, _ in first }
        default: break
        }
    }
}

/// A name in an array of octets of C.
private func text(of name: some Any) -> String {
    withUnsafeBytes(of: name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
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
