// SPDX-License-Identifier: Apache-2.0
internal import CLibDRM
import Glibc
import Scene
import Synchronization
import System
import Time

/// An open graphics card that takes atomic commits. It is closed when its last reference is released.
final class AtomicCard: KMSDevice {
    let name: String
    let crtcs: [UInt32]
    let planes: [KMSPlane]
    private let file: FileDescriptor
    /// The kernel's property ids for each object. Connectors come and go.
    private let properties: Mutex<[UInt32: [KMSProperty: UInt32]]>
    /// For drivers that do not set modes in nonblocking commits.
    private let blockingCommit = BlockingCommit()

    var descriptor: CInt { file.rawValue }

    /// - Parameter path: such as `/dev/dri/card0`.
    init(opening path: String) throws(DisplayError) {
        let opened = open(path, O_RDWR | O_CLOEXEC)
        guard opened >= 0 else { throw .kms("open \(path)", code: errno) }
        file = FileDescriptor(adopting: opened)
        var hasBuffers: UInt64 = 0
        guard drmGetCap(opened, UInt64(DRM_CAP_DUMB_BUFFER), &hasBuffers) == 0, hasBuffers == 1 else {
            throw .missing("dumb buffers of \(path)")
        }
        guard drmSetClientCap(opened, UInt64(DRM_CLIENT_CAP_UNIVERSAL_PLANES), 1) == 0,
            drmSetClientCap(opened, UInt64(DRM_CLIENT_CAP_ATOMIC), 1) == 0
        else { throw .missing("atomic mode setting of \(path)") }
        guard let resources = drmModeGetResources(opened) else { throw .kms("read \(path)", code: errno) }
        defer { drmModeFreeResources(resources) }
        guard resources.pointee.count_connectors > 0 else { throw .missing("a connector of \(path)") }
        let crtcs = Array(
            UnsafeBufferPointer(start: resources.pointee.crtcs, count: Int(max(0, resources.pointee.count_crtcs))))
        var properties: [UInt32: [KMSProperty: UInt32]] = [:]
        for crtc in crtcs {
            properties[crtc] = Self.properties(of: crtc, opened).mapValues(\.id)
        }
        var planes: [KMSPlane] = []
        if let list = drmModeGetPlaneResources(opened) {
            defer { drmModeFreePlaneResources(list) }
            for id in UnsafeBufferPointer(start: list.pointee.planes, count: Int(list.pointee.count_planes)) {
                let known = Self.properties(of: id, opened)
                guard let plane = KMSPlane(id, known[.kind]?.value ?? 0, among: crtcs, opened) else { continue }
                properties[id] = known.mapValues(\.id)
                planes.append(plane)
            }
        }
        name = path
        self.crtcs = crtcs
        self.planes = planes
        self.properties = Mutex(properties)
    }

    /// A commit that still runs uses the descriptor, which is closed afterwards.
    deinit { blockingCommit.wait() }

    /// - Throws: the errno of a failed call of libdrm, which returns it negated or leaves it in `errno`.
    private static func check(_ call: String, _ result: CInt) throws(DisplayError) {
        guard result == 0 else { throw .kms(call, code: result < -1 ? -result : errno) }
    }

    // MARK: Properties

    /// Ids of the object's properties that `KMSProperty` names.
    private static func properties(
        of object: UInt32, _ descriptor: CInt
    ) -> [KMSProperty: (id: UInt32, value: UInt64)] {
        guard let list = drmModeObjectGetProperties(descriptor, object, UInt32(DRM_MODE_OBJECT_ANY)) else { return [:] }
        defer { drmModeFreeObjectProperties(list) }
        var found: [KMSProperty: (id: UInt32, value: UInt64)] = [:]
        for index in 0..<Int(list.pointee.count_props) {
            guard let property = drmModeGetProperty(descriptor, list.pointee.props[index]) else { continue }
            defer { drmModeFreeProperty(property) }
            let name = withUnsafeBytes(of: property.pointee.name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let known = KMSProperty(rawValue: name) else { continue }
            found[known] = (list.pointee.props[index], list.pointee.prop_values[index])
        }
        return found
    }

    func values(of object: UInt32) -> [KMSProperty: UInt64] {
        let found = Self.properties(of: object, descriptor)
        properties.withLock { $0[object] = found.mapValues(\.id) }
        return found.mapValues(\.value)
    }

    func makeBlob(_ octets: [UInt8]) throws(DisplayError) -> UInt32 {
        var blob: UInt32 = 0
        try Self.check("create blob", drmModeCreatePropertyBlob(descriptor, octets, octets.count, &blob))
        return blob
    }

    func readBlob(_ blob: UInt32) -> [UInt8] {
        guard blob != 0, let found = drmModeGetPropertyBlob(descriptor, blob) else { return [] }
        defer { drmModeFreePropertyBlob(found) }
        return Array(UnsafeRawBufferPointer(start: found.pointee.data, count: Int(found.pointee.length)))
    }

    // If the card is gone, so are its blobs, and the call fails without harm.
    func destroyBlob(_ blob: UInt32) { drmModeDestroyPropertyBlob(descriptor, blob) }

    // MARK: Connectors

    func readConnectors(probes: Bool) throws(DisplayError) -> [KMSConnector] {
        guard let resources = drmModeGetResources(descriptor) else { throw .kms("read \(name)", code: errno) }
        defer { drmModeFreeResources(resources) }
        let count = Int(max(0, resources.pointee.count_connectors))
        return UnsafeBufferPointer(start: resources.pointee.connectors, count: count).compactMap { id in
            let read = probes ? drmModeGetConnector : drmModeGetConnectorCurrent
            guard let connector = read(descriptor, id) else { return nil }
            defer { drmModeFreeConnector(connector) }
            let values = values(of: id)
            let timings = UnsafeBufferPointer(
                start: connector.pointee.modes, count: Int(max(0, connector.pointee.count_modes)))
            let kind = drmModeGetConnectorTypeName(connector.pointee.connector_type).map { String(cString: $0) }
            return KMSConnector(
                id: id, name: "\(kind ?? "Unknown")-\(connector.pointee.connector_type_id)",
                isConnected: connector.pointee.connection == DRM_MODE_CONNECTED && values[.isNonDesktop] != 1,
                isLinkBad: values[.linkStatus] == UInt64(DRM_MODE_LINK_STATUS_BAD),
                edid: readBlob(UInt32(truncatingIfNeeded: values[.edid] ?? 0)),
                timings: timings.compactMap { KMSTiming($0) },
                crtcs: Self.crtcs(drmModeConnectorGetPossibleCrtcs(descriptor, connector), of: crtcs),
                crtc: values[.crtc].flatMap { $0 == 0 ? nil : UInt32(exactly: $0) })
        }
    }

    /// The CRTCs of a mask.
    /// - Parameter possible: a bit for each, in the kernel's order.
    static func crtcs(_ possible: UInt32, of all: [UInt32]) -> [UInt32] {
        all.indices.prefix(32).filter { possible & 1 << UInt32($0) != 0 }.map { all[$0] }
    }

    // MARK: Commits

    func commit(_ settings: [KMSSetting], _ options: KMSCommit, token: UInt64) throws(DisplayError) {
        // The kernel holds locks during a blocking commit, so another commit would wait for them.
        guard !blockingCommit.isRunning else { throw .kms("commit", code: EBUSY) }
        guard let request = drmModeAtomicAlloc() else { throw .kms("commit", code: ENOMEM) }
        var isLent = false
        defer { if !isLent { drmModeAtomicFree(request) } }
        let isComplete = properties.withLock { known -> Bool in
            for setting in settings {
                guard let property = known[setting.object]?[setting.property] else {
                    // A driver without link-status has nothing that needs resetting.
                    if setting.property == .linkStatus { continue }
                    return false
                }
                guard drmModeAtomicAddProperty(request, setting.object, property, setting.value) >= 0 else {
                    return false
                }
            }
            return true
        }
        guard isComplete else { throw .kms("commit", code: ENOENT) }
        var flags: UInt32 = 0
        if options.contains(.testOnly) { flags |= UInt32(DRM_MODE_ATOMIC_TEST_ONLY) }
        if options.contains(.allowModeset) { flags |= UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET) }
        if options.contains(.pageFlipEvent) {
            flags |= UInt32(DRM_MODE_ATOMIC_NONBLOCK) | UInt32(DRM_MODE_PAGE_FLIP_EVENT)
        }
        if options.contains(.nonblocking) { flags |= UInt32(DRM_MODE_ATOMIC_NONBLOCK) }
        let result = drmModeAtomicCommit(descriptor, request, flags, UnsafeMutableRawPointer(bitPattern: UInt(token)))
        guard result == -EINVAL, options == [.allowModeset, .pageFlipEvent] else {
            return try Self.check("commit", result)
        }
        // Some drivers accept modesets only in blocking commits. A test commit tells this from other refusals.
        flags = UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET)
        try Self.check(
            "commit", drmModeAtomicCommit(descriptor, request, flags | UInt32(DRM_MODE_ATOMIC_TEST_ONLY), nil))
        nonisolated(unsafe) let lent = request
        let descriptor = descriptor
        try blockingCommit.run(token: token) {
            defer { drmModeAtomicFree(lent) }
            let result = drmModeAtomicCommit(descriptor, lent, UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET), nil)
            return result == 0 ? nil : -result
        }
        isLent = true
    }

    func takeFlip(timeout: Nanoseconds) throws(DisplayError) -> PageFlip? {
        if let done = blockingCommit.takeOutcome() { return done }
        var events = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let limit = SystemClock.monotonic() + timeout
        var count: CInt = -1
        repeat {
            let left = max(.zero, limit - SystemClock.monotonic())
            count = poll(&events, 1, CInt(clamping: (left.count + 999_999) / 1_000_000))
        } while count < 0 && errno == EINTR
        guard count > 0 else { return nil }
        guard events.revents & Int16(POLLIN) != 0 else { throw .kms("poll \(name)", code: ENODEV) }
        // The kernel returns whole events only; there is room for one.
        var event = drm_event_vblank()
        let length = read(descriptor, &event, MemoryLayout.size(ofValue: event))
        guard length == MemoryLayout.size(ofValue: event), event.base.type == UInt32(DRM_EVENT_FLIP_COMPLETE) else {
            throw .kms("read flip", code: length < 0 ? errno : EPROTO)
        }
        let visible = Monotonic(nanoseconds: Int64(event.tv_sec) * 1_000_000_000 + Int64(event.tv_usec) * 1_000)
        return PageFlip(token: event.user_data, crtc: event.crtc_id, visible: visible)
    }

    func becomeMaster() -> Bool { drmIsMaster(descriptor) != 0 || drmSetMaster(descriptor) == 0 }

    // A process that is not master has nothing to drop.
    func dropMaster() { drmDropMaster(descriptor) }
}
