// SPDX-License-Identifier: Apache-2.0
internal import CLibDRM
import Glibc
import Scene
import Time

/// A connected screen, ours alone; what it showed before is shown again when it goes.
final class KMSScreen {
    /// A flip takes a frame; one that takes longer has been lost.
    private static let patience = Nanoseconds.milliseconds(200)

    let card: KMSCard
    let mode: KMSMode
    private var timing: drmModeModeInfo
    private var connector: UInt32
    private let controller: UInt32
    private let before: drmModeCrtcPtr?

    /// The first connected screen of the first card that has one.
    static func first(for size: PixelSize) throws(DisplayError) -> KMSScreen {
        let cards = KMSCard.all
        guard !cards.isEmpty else { throw .missing("a card in /dev/dri that we may open") }
        for card in cards { if let screen = KMSScreen(card, for: size) { return screen } }
        throw .missing("a connected screen")
    }

    /// Nil when no screen is connected to the card.
    private init?(_ card: KMSCard, for size: PixelSize) {
        guard let resources = drmModeGetResources(card.descriptor) else { return nil }
        defer { drmModeFreeResources(resources) }
        for index in 0..<Int(max(0, resources.pointee.count_connectors)) {
            guard let connector = drmModeGetConnector(card.descriptor, resources.pointee.connectors[index]) else {
                continue
            }
            defer { drmModeFreeConnector(connector) }
            guard connector.pointee.connection == DRM_MODE_CONNECTED else { continue }
            let timings = UnsafeBufferPointer(start: connector.pointee.modes, count: Int(connector.pointee.count_modes))
            guard let choice = KMSMode.choice(of: timings.map(KMSMode.init), for: size),
                let controller = Self.controller(of: connector, card, resources)
            else { continue }
            self.card = card
            self.controller = controller
            self.connector = connector.pointee.connector_id
            timing = timings[choice]
            mode = KMSMode(timings[choice])
            before = drmModeGetCrtc(card.descriptor, controller)
            return
        }
        return nil
    }

    deinit {
        guard let before else { return }
        if before.pointee.buffer_id != 0 {
            drmModeSetCrtc(
                card.descriptor, controller, before.pointee.buffer_id, before.pointee.x, before.pointee.y, &connector,
                1, &before.pointee.mode)
        }
        drmModeFreeCrtc(before)
    }

    /// That which drives it, or the first that can.
    private static func controller(
        of connector: drmModeConnectorPtr, _ card: KMSCard, _ resources: drmModeResPtr
    ) -> UInt32? {
        if let encoder = drmModeGetEncoder(card.descriptor, connector.pointee.encoder_id) {
            defer { drmModeFreeEncoder(encoder) }
            if encoder.pointee.crtc_id != 0 { return encoder.pointee.crtc_id }
        }
        for index in 0..<Int(max(0, connector.pointee.count_encoders)) {
            guard let encoder = drmModeGetEncoder(card.descriptor, connector.pointee.encoders[index]) else { continue }
            defer { drmModeFreeEncoder(encoder) }
            for place in 0..<min(32, Int(max(0, resources.pointee.count_crtcs)))
            where encoder.pointee.possible_crtcs & 1 << UInt32(place) != 0 {
                return resources.pointee.crtcs[place]
            }
        }
        return nil
    }

    /// Drives the screen in its mode, whatever was before.
    func show(_ buffer: DumbBuffer) throws(DisplayError) {
        try KMSCard.check(
            "set mode", drmModeSetCrtc(card.descriptor, controller, buffer.frame, 0, 0, &connector, 1, &timing))
    }

    /// Shows it from the next frame on, and waits for that.
    /// - Returns: when that was.
    func flip(to buffer: DumbBuffer) throws(DisplayError) -> Monotonic {
        try KMSCard.check(
            "page flip",
            drmModePageFlip(card.descriptor, controller, buffer.frame, UInt32(DRM_MODE_PAGE_FLIP_EVENT), nil))
        var events = pollfd(fd: card.descriptor, events: Int16(POLLIN), revents: 0)
        var count: CInt = -1
        repeat { count = poll(&events, 1, CInt(Self.patience.milliseconds)) } while count < 0 && errno == EINTR
        guard count > 0 else { throw .kms("page flip", code: ETIMEDOUT) }
        var event = drm_event_vblank()
        let length = read(card.descriptor, &event, MemoryLayout.size(ofValue: event))
        guard length == MemoryLayout.size(ofValue: event), event.base.type == UInt32(DRM_EVENT_FLIP_COMPLETE) else {
            throw .kms("read page flip", code: length < 0 ? errno : EPROTO)
        }
        return Monotonic(nanoseconds: Int64(event.tv_sec) * 1_000_000_000 + Int64(event.tv_usec) * 1_000)
    }
}

extension KMSMode {
    fileprivate init(_ timing: drmModeModeInfo) {
        let pixels = Int(timing.htotal) * Int(timing.vtotal)
        self.init(
            size: PixelSize(width: Int(timing.hdisplay), height: Int(timing.vdisplay)),
            milliHertz: pixels > 0 ? Int(timing.clock) * 1_000_000 / pixels : Int(timing.vrefresh) * 1_000,
            isInterlaced: timing.flags & UInt32(DRM_MODE_FLAG_INTERLACE) != 0,
            isPreferred: timing.type & UInt32(DRM_MODE_TYPE_PREFERRED) != 0)
    }
}
