// SPDX-License-Identifier: Apache-2.0
internal import CLibDRM
import Scene

extension KMSPlane {
    /// nil if the plane is gone or of an unknown type.
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
        case .zpos:
            let bounds = UnsafeBufferPointer(start: property.values, count: Int(max(0, property.count_values)))
            let isFixed = property.flags & UInt32(DRM_MODE_PROP_IMMUTABLE) != 0
            if !isFixed, bounds.count == 2, bounds[0] <= bounds[1] {
                zpos = ZPosition(value: value, range: bounds[0]...bounds[1])
            } else {
                zpos = ZPosition(value: value, range: value...value)
            }
        case .alpha: hasAlpha = true
        case .some(let known) where [.blendMode, .encoding, .range].contains(known):
            let values = UnsafeBufferPointer(start: property.enums, count: Int(max(0, property.count_enums)))
            choices[known] = Dictionary(values.map { (text(of: $0.name), $0.value) }) { first, _ in first }
        default: break
        }
    }
}

/// The text in a C array of characters.
private func text(of name: some Any) -> String {
    withUnsafeBytes(of: name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}

extension KMSTiming {
    /// nil if the timing has no rate, or its size is out of range.
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
