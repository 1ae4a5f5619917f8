// SPDX-License-Identifier: Apache-2.0
import Glibc
import Media
import Scene

@testable import Display

/// What its planes can do and show.
extension FakeCard {
    /// What a framebuffer is of.
    struct Shown {
        let size: PixelSize
        let format: UInt32
        let memory: UnsafeMutableRawBufferPointer
    }

    /// What is about to go wrong with a video's plane.
    struct PlaneAccidents {
        var refusesTests = false
        /// Those that are no tests.
        var refusedCommits = 0
        var refusesImports = false
        var refusedColours: Set<UInt64> = []
        var scales = false
        var primaryMoves = false
    }

    /// No overlay takes a video, nor opacity.
    static let plainPlanes = [
        KMSPlane(id: 29, kind: .overlay, formats: [KMSPlane.xrgb8888], crtcs: [40, 41]),
        KMSPlane(id: 30, kind: .primary, formats: [0, KMSPlane.xrgb8888], crtcs: [40]),
        KMSPlane(id: 31, kind: .primary, formats: [KMSPlane.xrgb8888], crtcs: [41]),
    ]

    /// Those, and an overlay for videos under one with opacity.
    static let videoPlanes = videoPlanes(of: [DRMFormat.nv12])

    static func videoPlanes(of formats: [UInt32]) -> [KMSPlane] {
        plainPlanes.map { plane in
            var plane = plane
            if plane.kind == .primary { plane.zpos = .init(value: 0, range: 0...0) }
            return plane
        } + [
            KMSPlane(
                id: 32, kind: .overlay, formats: formats, crtcs: [40],
                zpos: .init(value: 1, range: 1...1), choices: colours),
            KMSPlane(
                id: 33, kind: .overlay, formats: [KMSPlane.xrgb8888, KMSPlane.argb8888], crtcs: [40],
                zpos: .init(value: 1, range: 1...4), hasAlpha: true,
                choices: [.blendMode: ["None": 0, KMSPlane.premultiplied: 1, "Coverage": 2]]),
        ]
    }

    static let colours: [KMSProperty: [String: UInt64]] = [
        .encoding: ["ITU-R BT.601 YCbCr": 0, "ITU-R BT.709 YCbCr": 1],
        .range: ["YCbCr limited range": 0, "YCbCr full range": 1],
    ]

    func makeDumbBuffer(_ size: PixelSize, bitsPerPixel: UInt32) throws(DisplayError) -> DumbBuffer {
        try check()
        // A card's pitch is larger than the row where it likes.
        let pitch = size.width * Int(bitsPerPixel / 8) + (bitsPerPixel == 32 ? 64 : 0)
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: pitch * size.height, alignment: 8)
        nextID += 1
        dumbBuffers[nextID] = memory
        return DumbBuffer(adopting: nextID, pitch: pitch, memory: memory, of: self)
    }

    func destroyDumbBuffer(_ handle: UInt32, _ memory: UnsafeMutableRawBufferPointer) {
        guard dumbBuffers.removeValue(forKey: handle)?.baseAddress == memory.baseAddress else {
            brokenRules.append("dumb buffer \(handle) destroyed twice")
            return
        }
        memory.deallocate()
    }

    func addFramebuffer(_ picture: SharedPicture, handles: [UInt32]) throws(DisplayError) -> Framebuffer {
        try check()
        guard let memory = handles.first.flatMap({ dumbBuffers[$0] }) else {
            throw .kms("add framebuffer \(picture.summary)", code: ENOENT)
        }
        return add(picture, memory)
    }

    func importFramebuffer(_ picture: SharedPicture) throws(DisplayError) -> ImportedFramebuffer {
        try check()
        imports += 1
        guard !accidents.refusesImports, let memory = memories[picture.planes[0].descriptor] else {
            throw .kms("import \(picture.summary)", code: EINVAL)
        }
        return ImportedFramebuffer(add(picture, memory))
    }

    private func add(_ picture: SharedPicture, _ memory: UnsafeMutableRawBufferPointer) -> Framebuffer {
        nextID += 1
        framebuffers[nextID] = Shown(
            size: PixelSize(width: picture.width, height: picture.height), format: picture.fourCC, memory: memory)
        return Framebuffer(adopting: nextID, of: self)
    }

    func removeFramebuffer(_ id: UInt32) {
        for plane in planes where values[plane.id]?[.framebuffer] == UInt64(id) {
            // The kernel switches the plane off before it goes on.
            if isMaster, !isGone, !refusesAll { brokenRules.append("framebuffer \(id) is removed while it is shown") }
            values[plane.id]?[.framebuffer] = 0
        }
        if framebuffers.removeValue(forKey: id) == nil { brokenRules.append("framebuffer \(id) removed twice") }
    }

    /// Of the highest plane that is opaque there: blue, green and red; of a video its first three samples of luma.
    func firstPixel(_ values: [UInt32: [KMSProperty: UInt64]]) -> [UInt8]? {
        let stack = planes.indices.filter { values[planes[$0].id] != nil }
            .sorted { (height($0, values), $0) < (height($1, values), $1) }
        var seen: [UInt8]?
        for plane in stack.map({ planes[$0] }) {
            guard let values = values[plane.id], let frame = values[.framebuffer].flatMap({ framebuffers[UInt32($0)] }),
                values[.crtcX] == 0, values[.crtcY] == 0
            else { continue }
            if frame.format == KMSPlane.argb8888, frame.memory[3] == 0 { continue }
            seen = Array(frame.memory.prefix(3))
        }
        return seen
    }

    /// Whose picture it is.
    func isVideoShown(on crtc: UInt32 = 40) -> Bool { !videos(of: crtc, values).isEmpty }

    private func height(_ index: Int, _ values: [UInt32: [KMSProperty: UInt64]]) -> UInt64 {
        values[planes[index].id]?[.zpos] ?? planes[index].zpos?.value ?? (planes[index].kind == .primary ? 0 : 1)
    }

    private func videos(of crtc: UInt32, _ new: [UInt32: [KMSProperty: UInt64]]) -> [UInt32] {
        planes.map(\.id).filter { id in
            guard new[id]?[.crtc] == UInt64(crtc), let frame = framebuffers[UInt32(new[id]?[.framebuffer] ?? 0)] else {
                return false
            }
            return DRMFormat.ofVideos.contains(frame.format)
        }
    }

    /// Nil when all is well.
    func brokenRule(by setting: KMSSetting, of object: [KMSProperty: UInt64]) -> String? {
        guard let plane = planes.first(where: { $0.id == setting.object }) else {
            return setting.value != 0 && [29, 30, 31, 32, 33].contains(setting.object) ? "a plane that is gone" : nil
        }
        switch setting.property {
        case .zpos:
            let range = plane.zpos?.range ?? 0...0
            return range.lowerBound < range.upperBound && range.contains(setting.value) ? nil : "zpos of \(plane.id)"
        case .alpha: return plane.hasAlpha ? nil : "alpha of \(plane.id)"
        case .blendMode, .encoding, .range:
            let known = plane.choices[setting.property]?.values.contains(setting.value) ?? false
            return known ? nil : "\(setting.property) of \(plane.id)"
        default: return nil
        }
    }

    /// Nil when all is well.
    func brokenRule(of crtc: UInt32, _ new: [UInt32: [KMSProperty: UInt64]], _ mode: PixelSize) -> String? {
        for plane in planes {
            guard let values = new[plane.id], (values[.crtc] ?? 0) != 0 || (values[.framebuffer] ?? 0) != 0 else {
                if plane.kind == .primary, plane.crtcs == [crtc] { return "no primary plane" }
                continue
            }
            guard values[.crtc] == UInt64(crtc) else { continue }
            guard plane.crtcs.contains(crtc) else { return "a plane of another CRTC" }
            guard let frame = values[.framebuffer].flatMap({ framebuffers[UInt32($0)] }) else {
                return "a plane without a framebuffer"
            }
            guard plane.formats.contains(frame.format) else { return "a format of another plane" }
            func number(_ property: KMSProperty) -> Int { Int(truncatingIfNeeded: values[property] ?? 0) }
            guard number(.sourceX) + number(.sourceWidth) <= frame.size.width << 16,
                number(.sourceY) + number(.sourceHeight) <= frame.size.height << 16
            else { return "outside the framebuffer" }
            let isWhole =
                number(.crtcX) == 0 && number(.crtcY) == 0 && number(.crtcWidth) == mode.width
                && number(.crtcHeight) == mode.height
            if !DRMFormat.ofVideos.contains(frame.format), !isWhole { return "framebuffer does not fit" }
        }
        return nil
    }

    /// What a driver refuses by the kernel's rules.
    func accident(
        of crtc: UInt32, _ new: [UInt32: [KMSProperty: UInt64]], isTest: Bool
    ) -> DisplayError? {
        let refusal = DisplayError.kms("commit", code: 34)
        for id in videos(of: crtc, new) {
            if isTest, accidents.refusesTests { return refusal }
            if !isTest, accidents.refusedCommits > 0 {
                accidents.refusedCommits -= 1
                return refusal
            }
            guard let values = new[id] else { continue }
            if accidents.refusedColours.contains(values[.encoding] ?? 0) { return refusal }
            let isScaled =
                values[.sourceWidth] != (values[.crtcWidth] ?? 0) << 16
                || values[.sourceHeight] != (values[.crtcHeight] ?? 0) << 16
            if isScaled, !accidents.scales { return refusal }
        }
        return nil
    }
}
