// SPDX-License-Identifier: Apache-2.0
import Glibc
import Media
import Scene
import Synchronization
import System
import Time

@testable import Display

/// A card with one connector, in real time, with the accidents that a test wants. `FakeCard` of DisplayTests is the one
/// that keeps the kernel's rules.
final class FaultyScreen: KMSDevice {
    struct State: Sendable {
        // What is wrong.
        var isConnected = true
        var isGone = false
        var lostFlips = 0
        var lostModesets = 0
        var refusedCommits = 0
        var isLinkBad = false
        /// Plugged in since the mode was set, so that it shows nothing.
        var isSilent = false
        /// Another process is the DRM master.
        var isTaken = false

        // What is.
        fileprivate var isActive = false
        fileprivate var isConnectorUsed = false
        fileprivate var nextID: UInt32 = 100
        fileprivate var pending: (token: UInt64?, end: Monotonic, isLost: Bool)?
        fileprivate var events: [PageFlip] = []
        /// Flips that people saw.
        var shown: Int64 = 0
        /// The pixels of the picture that people saw last, in rows of the mode's width. They stay when the screen goes dark.
        fileprivate(set) var lastPicture: [UInt8] = []
        fileprivate var flippedPicture: [UInt8] = []
        /// The memory of each dumb buffer by handle, and the handle of each framebuffer.
        fileprivate var memories: [UInt32: (address: UInt, count: Int)] = [:]
        fileprivate var handles: [UInt32: UInt32] = [:]
        fileprivate(set) var framebuffers = 0
        fileprivate(set) var blobs = 0
        fileprivate(set) var buffers = 0
    }

    private static let (connector, crtc, plane): (UInt32, UInt32, UInt32) = (50, 40, 30)
    private static let frame = Nanoseconds.milliseconds(20)

    let name = "/dev/dri/card0"
    let crtcs: [UInt32] = [crtc]
    let planes = [KMSPlane(id: plane, kind: .primary, formats: [KMSPlane.xrgb8888], crtcs: [crtc])]
    private let state = Mutex(State())
    private let timing: KMSTiming

    init(size: PixelSize) {
        timing = KMSTiming(mode: KMSMode(size: size, refresh: FrameRate(50), isPreferred: true), octets: [50])
    }

    /// How a box finds it.
    var search: CardSearch {
        CardSearch(paths: [name]) { [self] path throws(DisplayError) -> any KMSDevice in
            try check()
            return self
        }
    }

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    var now: State { state.withLock { $0 } }

    private func check() throws(DisplayError) {
        if state.withLock({ $0.isGone }) { throw .kms("card", code: ENODEV) }
    }

    func readConnectors(probes: Bool) throws(DisplayError) -> [KMSConnector] {
        try check()
        let state = now
        return [
            KMSConnector(
                id: Self.connector, name: "HDMI-A-1", isConnected: state.isConnected, isLinkBad: state.isLinkBad,
                timings: state.isConnected ? [timing] : [], crtcs: crtcs,
                crtc: state.isConnectorUsed ? Self.crtc : nil)
        ]
    }

    func values(of object: UInt32) -> [KMSProperty: UInt64] { [:] }

    // MARK: Memory

    private func makeID() -> UInt32 {
        state.withLock { state in
            state.nextID &+= 1
            return state.nextID
        }
    }

    func makeDumbBuffer(_ size: PixelSize, bitsPerPixel: UInt32) throws(DisplayError) -> DumbBuffer {
        try check()
        change { $0.buffers += 1 }
        let pitch = size.width * Int(bitsPerPixel / 8)
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: pitch * size.height, alignment: 64)
        let handle = makeID()
        change { $0.memories[handle] = (UInt(bitPattern: memory.baseAddress), memory.count) }
        return DumbBuffer(adopting: handle, pitch: pitch, memory: memory, of: self)
    }

    func destroyDumbBuffer(_ handle: UInt32, _ memory: UnsafeMutableRawBufferPointer) {
        change { state in
            state.buffers -= 1
            state.memories[handle] = nil
        }
        memory.deallocate()
    }

    func addFramebuffer(_ picture: SharedPicture, handles: [UInt32]) throws(DisplayError) -> Framebuffer {
        try check()
        let id = makeID()
        change { state in
            state.framebuffers += 1
            state.handles[id] = handles.first
        }
        return Framebuffer(adopting: id, of: self)
    }

    func removeFramebuffer(_ id: UInt32) {
        change { state in
            state.framebuffers -= 1
            state.handles[id] = nil
        }
    }

    func importFramebuffer(_ picture: SharedPicture) throws(DisplayError) -> ImportedFramebuffer {
        throw .kms("import", code: EINVAL)
    }

    func makeBlob(_ octets: [UInt8]) throws(DisplayError) -> UInt32 {
        try check()
        change { $0.blobs += 1 }
        return makeID()
    }

    func readBlob(_ blob: UInt32) -> [UInt8] { [] }
    func destroyBlob(_ blob: UInt32) { change { $0.blobs -= 1 } }

    // MARK: Commits

    func becomeMaster() -> Bool {
        let now = now
        return !now.isGone && !now.isTaken
    }
    func dropMaster() {}

    func commit(_ settings: [KMSSetting], _ options: KMSCommit, token: UInt64) throws(DisplayError) {
        try check()
        guard becomeMaster() else { throw .kms("commit", code: EACCES) }
        if options.contains(.testOnly) { return }
        let code = state.withLock { state -> Int32? in
            state.settle(SystemClock.monotonic())
            if state.refusedCommits > 0 {
                state.refusedCommits -= 1
                return EINVAL
            }
            guard state.pending == nil else { return EBUSY }
            state.apply(settings, options, token)
            return nil
        }
        if let code { throw .kms("commit", code: code) }
    }

    func takeFlip(timeout: Nanoseconds) throws(DisplayError) -> PageFlip? {
        let limit = SystemClock.monotonic() + timeout
        while true {
            try check()
            let (now, flip, end) = state.withLock { state -> (Monotonic, PageFlip?, Monotonic?) in
                let now = SystemClock.monotonic()
                return (now, state.take(now), state.pending.flatMap { $0.isLost ? nil : $0.end })
            }
            if let flip { return flip }
            guard now < limit else { return nil }
            SystemClock.sleep(until: min(limit, end ?? limit, now + Self.frame))
        }
    }
}

extension FaultyScreen.State {
    /// What was to be done by now is done.
    fileprivate mutating func settle(_ now: Monotonic) {
        guard let one = pending, one.end <= now else { return }
        pending = nil
        guard !one.isLost else { return }
        if isActive, isConnected, !isSilent, !isLinkBad {
            shown += 1
            lastPicture = flippedPicture
        }
        if let token = one.token { events.append(PageFlip(token: token, crtc: 40, visible: one.end)) }
    }

    /// The event of a flip that is done.
    fileprivate mutating func take(_ now: Monotonic) -> PageFlip? {
        settle(now)
        return events.isEmpty ? nil : events.removeFirst()
    }

    /// The card goes, and with it what it was doing.
    mutating func remove() {
        (isGone, isActive, isConnectorUsed, pending, events) = (true, false, false, nil, [])
    }

    /// nil if it is none of a dumb buffer.
    private func pixels(of framebuffer: UInt64) -> [UInt8]? {
        guard let handle = handles[UInt32(truncatingIfNeeded: framebuffer)], let memory = memories[handle],
            let base = UnsafeRawPointer(bitPattern: memory.address)
        else { return nil }
        return Array(UnsafeRawBufferPointer(start: base, count: memory.count))
    }

    fileprivate mutating func apply(_ settings: [KMSSetting], _ options: KMSCommit, _ token: UInt64) {
        let now = SystemClock.monotonic()
        for setting in settings {
            if setting.property == .isActive { isActive = setting.value == 1 }
            if setting.object == 50, setting.property == .crtc { isConnectorUsed = setting.value != 0 }
            if setting.property == .framebuffer, let new = pixels(of: setting.value) { flippedPicture = new }
        }
        let isModeset = options.contains(.allowModeset)
        var isLost = false
        if isModeset, isActive {
            (isLinkBad, isSilent) = (false, false)
            if lostModesets > 0 { (isLost, lostModesets) = (true, lostModesets - 1) }
        } else if lostFlips > 0 {
            (isLost, lostFlips) = (true, lostFlips - 1)
        }
        guard options.contains(.pageFlipEvent) else { return }
        let span = isLost ? Nanoseconds.milliseconds(100) : isModeset ? .milliseconds(40) : .milliseconds(20)
        let next = Monotonic(nanoseconds: (now.nanoseconds / 20_000_000 + 1) * 20_000_000)
        pending = (token, isLost || isModeset ? now + span : next, isLost)
    }
}
