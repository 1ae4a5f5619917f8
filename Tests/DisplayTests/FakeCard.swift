// SPDX-License-Identifier: Apache-2.0
import Glibc
import Scene
import Time

@testable import Display

/// A card with two connectors that keeps the kernel's rules, in simulated time, and has accidents as a test wants them.
final class FakeCard: KMSDevice, @unchecked Sendable {
    // Sendable: the test's thread alone uses it.
    final class Clock { var now = Monotonic(nanoseconds: 1_000_000_000_000) }

    struct Display: Equatable {
        var edid: [UInt8]
        var timings: [KMSTiming]
    }

    static let frameSpan = Nanoseconds.milliseconds(20)
    static let usualModesetSpan = Nanoseconds.milliseconds(40)
    /// After which the kernel gives up a flip that was lost, and takes another one.
    static let lossSpan = Nanoseconds.milliseconds(100)

    let name: String
    let crtcs: [UInt32] = [40, 41]
    var planes = FakeCard.plainPlanes {
        didSet {
            for plane in planes where values[plane.id] == nil { values[plane.id] = [.framebuffer: 0, .crtc: 0] }
        }
    }
    let clock: Clock

    // What is about to go wrong.
    var refusesCommits = 0
    var refusal = EBUSY
    var modesetSpan = FakeCard.usualModesetSpan
    var losesModesets = 0
    /// Sizes of modes whose modesets are all lost.
    var lostSizes: Set<PixelSize> = []
    /// Controllers that refuse everything, and those whose flips get lost.
    var refusing: Set<UInt32> = []
    var losing: Set<UInt32> = []
    /// Controllers of a connector that cannot have all.
    var possible: [UInt32: [UInt32]] = [:]
    var refusesAll = false
    var refusedSizes: Set<PixelSize> = []
    var refusedFramebuffers: Set<UInt32> = []
    var takesFences = true
    var losesFlips = 0
    var isGone = false
    var isMaster = true
    var canBecomeMaster = true

    var accidents = PlaneAccidents()
    /// Of others' that can be imported, by their descriptors.
    var memories: [Int32: UnsafeMutableRawBufferPointer] = [:]
    var imports = 0

    // What went on.
    private(set) var modesets = 0
    private(set) var tests = 0
    private(set) var fences = 0
    var brokenRules: [String] = []

    private struct Slot {
        let name: String
        var display: Display?
        var isLinkBad = false
        /// Plugged in since the mode was set.
        var isSilent = false
    }
    private var slots: [UInt32: Slot] = [50: Slot(name: "HDMI-A-1"), 51: Slot(name: "HDMI-A-2")]
    /// As the kernel has them, which is what was committed last.
    var values: [UInt32: [KMSProperty: UInt64]] = [
        29: [:], 30: [:], 31: [:], 40: [:], 41: [:], 50: [:], 51: [:],
    ]
    private var blobs: [UInt32: [UInt8]] = [:]
    /// Modes that are set keep their blobs.
    private var keptModes: [UInt32: [UInt8]] = [:]
    var framebuffers: [UInt32: Shown] = [:]
    var dumbBuffers: [UInt32: UnsafeMutableRawBufferPointer] = [:]
    var nextID: UInt32 = 100

    /// What a CRTC's screen gets.
    private struct Signal {
        var mode: [UInt8]
        /// The values of each plane.
        var planes: [UInt32: [KMSProperty: UInt64]]
    }
    private var signals: [UInt32: Signal] = [:]
    /// Of a CRTC, that is not done.
    private struct Pending {
        let token: UInt64?
        let end: Monotonic
        let isLost: Bool
    }
    private var pending: [UInt32: Pending] = [:]
    private var events: [PageFlip] = []

    init(_ clock: Clock = Clock(), name: String = "fake") {
        self.clock = clock
        self.name = name
    }

    // MARK: The world

    subscript(_ connector: UInt32) -> Display? {
        get { slots[connector]?.display }
        set {
            guard newValue != slots[connector]?.display else { return }
            slots[connector]?.display = newValue
            slots[connector]?.isSilent = true
        }
    }

    /// A hub was plugged in: its connector has a number and a name of its own.
    func addConnector(_ id: UInt32, _ name: String, _ display: Display) {
        slots[id] = Slot(name: name, display: display, isSilent: true)
        values[id] = [:]
    }

    /// The hub was pulled out. Its connector can still be taken off the CRTC that drives it, and is gone then.
    func removeConnector(_ id: UInt32) {
        slots[id] = nil
        dropConnectors()
    }

    /// Connectors that the card still knows, whether they can be seen or not.
    var knownConnectors: Int { values.keys.count { Self.isConnector($0) } }

    private static func isConnector(_ object: UInt32) -> Bool { object >= 50 }

    private func dropConnectors() {
        for id in values.keys where Self.isConnector(id) && slots[id] == nil && (values[id]?[.crtc] ?? 0) == 0 {
            values[id] = nil
        }
    }

    /// Off and on again.
    func replug(_ connector: UInt32) { slots[connector]?.isSilent = true }

    func breakLink(_ connector: UInt32) { slots[connector]?.isLinkBad = true }

    /// Made and not destroyed.
    var livingBlobs: Int { blobs.count }
    var livingFramebuffers: Int { framebuffers.count }
    var livingDumbBuffers: Int { dumbBuffers.count }

    /// What people see: the first pixel of the first display that has a signal it can show.
    var picture: [UInt8]? { slots.keys.sorted().lazy.compactMap { self.picture(of: $0) }.first }

    func picture(of connector: UInt32) -> [UInt8]? {
        settle()
        guard !isGone, let slot = slots[connector], let display = slot.display, !slot.isLinkBad, !slot.isSilent,
            let crtc = values[connector]?[.crtc], let signal = signals[UInt32(crtc)],
            display.timings.contains(where: { $0.octets == signal.mode }), let octets = firstPixel(signal.planes)
        else { return nil }
        return octets
    }

    /// Whether people see what lies there, or will.
    func shows(_ memory: UnsafeMutableRawBufferPointer) -> Bool {
        settle()
        return (signals.values.flatMap(\.planes) + Array(values)).contains { _, values in
            values[.framebuffer].flatMap { framebuffers[UInt32($0)] }?.memory.baseAddress == memory.baseAddress
        }
    }

    /// What drives the connector.
    func mode(of connector: UInt32) -> [UInt8]? { keptModes[UInt32(values[connector]?[.crtc] ?? 0)] }

    /// A console was there before us.
    func startConsole(on connector: UInt32, _ timing: KMSTiming) throws(DisplayError) -> CanvasFramebuffer {
        let buffer = try makeCanvasFramebuffer(timing.mode.size)
        let pipeline = DisplayPipeline(plane: 30, crtc: 40, connector: connector, timing: timing)
        let blob = try makeBlob(timing.octets)
        try commit(pipeline.settings(showing: buffer.framebuffer, modeBlob: blob), .allowModeset, token: 0)
        destroyBlob(blob)
        return buffer
    }

    // MARK: The card

    func check() throws(DisplayError) { if isGone { throw .kms("card", code: ENODEV) } }

    func readConnectors(probes: Bool) throws(DisplayError) -> [KMSConnector] {
        try check()
        return slots.sorted { $0.key < $1.key }.map { id, slot in
            KMSConnector(
                id: id, name: slot.name, isConnected: slot.display != nil, isLinkBad: slot.isLinkBad,
                edid: slot.display?.edid ?? [], timings: slot.display?.timings ?? [],
                crtcs: possible[id] ?? crtcs,
                crtc: values[id]?[.crtc].flatMap { $0 == 0 ? nil : UInt32($0) })
        }
    }

    func values(of object: UInt32) -> [KMSProperty: UInt64] {
        var result = values[object] ?? [:]
        if let mode = keptModes[object] {
            nextID += 1
            blobs[nextID] = mode
            readable.insert(nextID)
            result[.mode] = UInt64(nextID)
        }
        return result
    }
    /// Blobs of the kernel's own.
    private var readable: Set<UInt32> = []

    func makeBlob(_ octets: [UInt8]) throws(DisplayError) -> UInt32 {
        try check()
        nextID += 1
        blobs[nextID] = octets
        return nextID
    }

    func readBlob(_ blob: UInt32) -> [UInt8] {
        defer { if readable.remove(blob) != nil { blobs[blob] = nil } }
        return blobs[blob] ?? []
    }

    func destroyBlob(_ blob: UInt32) {
        if blobs.removeValue(forKey: blob) == nil { brokenRules.append("blob \(blob) destroyed twice") }
    }

    func becomeMaster() -> Bool {
        if canBecomeMaster { isMaster = true }
        return isMaster
    }

    func dropMaster() { isMaster = false }

    func commit(_ settings: [KMSSetting], _ options: KMSCommit, token: UInt64) throws(DisplayError) {
        try check()
        guard isMaster else { throw .kms("commit", code: EACCES) }
        if refusesAll { throw .kms("commit", code: EINVAL) }
        let isTest = options.contains(.testOnly)
        if isTest { tests += 1 }
        if !isTest, refusesCommits > 0 {
            refusesCommits -= 1
            throw .kms("commit", code: refusal)
        }
        settle()
        try validate(settings, allowModeset: options.contains(.allowModeset), isTest: isTest)
        let touched = crtcs.filter { isTouched($0, by: settings) }
        guard refusing.isDisjoint(with: touched) else { throw .kms("commit", code: EINVAL) }
        if isTest { return }
        fences += settings.count { $0.property == .inFence }
        let before = (values: values, modes: keptModes)
        if options.isDisjoint(with: [.pageFlipEvent, .nonblocking]) {
            clock.now = max(clock.now, touched.compactMap { pending[$0]?.end }.max() ?? clock.now)
            settle()
        }
        guard touched.allSatisfy({ pending[$0] == nil }) else { throw .kms("commit", code: EBUSY) }
        apply(settings)
        let isModeset = options.contains(.allowModeset)
        if isModeset { modesets += touched.contains { values[$0]?[.isActive] == 1 } ? 1 : 0 }
        for crtc in touched {
            let isDark = values[crtc]?[.isActive] != 1
            guard !isDark || before.values[crtc]?[.isActive] == 1 else { continue }
            let span = Self.frameSpan.count
            var end = Monotonic(nanoseconds: (clock.now.nanoseconds / span + 1) * span)
            let connectors = slots.keys.filter { values[$0]?[.crtc] == UInt64(crtc) }
            // To the kernel what is on already is a flip.
            let isNew =
                isDark || before.modes[crtc] != keptModes[crtc]
                || connectors.contains {
                    slots[$0]?.isLinkBad == true || slots[$0]?.isSilent == true
                        || before.values[$0]?[.crtc] != UInt64(crtc)
                }
            if isModeset, isNew {
                (end, signals[crtc]) = (clock.now + modesetSpan, nil)
                for id in connectors {
                    slots[id]?.isLinkBad = false
                    slots[id]?.isSilent = false
                }
            }
            var isLost = false
            if isModeset, !isDark, losesModesets > 0 { (isLost, losesModesets) = (true, losesModesets - 1) }
            if isModeset, let mode = keptModes[crtc], lostSizes.contains(.ofFake(mode)) { isLost = true }
            if !isModeset, losing.contains(crtc) { isLost = true }
            if !isModeset, losesFlips > 0 { (isLost, losesFlips) = (true, losesFlips - 1) }
            pending[crtc] = Pending(
                token: options.contains(.pageFlipEvent) ? token : nil, end: isLost ? clock.now + Self.lossSpan : end,
                isLost: isLost)
        }
        guard options.isDisjoint(with: [.pageFlipEvent, .nonblocking]) else { return }
        clock.now = max(clock.now, touched.compactMap { pending[$0]?.end }.max() ?? clock.now)
        settle()
    }

    private func isTouched(_ crtc: UInt32, by settings: [KMSSetting]) -> Bool {
        settings.contains {
            $0.object == crtc || values[$0.object]?[.crtc] == UInt64(crtc)
                || $0.property == .crtc && $0.value == UInt64(crtc)
        }
    }

    /// What was to be done by now is done.
    private func settle() {
        for (crtc, one) in pending.sorted(by: { $0.value.end < $1.value.end }) where one.end <= clock.now {
            pending[crtc] = nil
            guard !one.isLost else { continue }
            if let token = one.token {
                events.append(PageFlip(token: token, crtc: crtc, visible: one.end))
            }
            guard values[crtc]?[.isActive] == 1, let mode = keptModes[crtc] else { continue }
            let shown = planes.map(\.id).filter { values[$0]?[.crtc] == UInt64(crtc) }
            signals[crtc] = Signal(
                mode: mode, planes: Dictionary(uniqueKeysWithValues: shown.map { ($0, values[$0] ?? [:]) }))
        }
    }

    private func apply(_ settings: [KMSSetting]) {
        for setting in settings {
            values[setting.object, default: [:]][setting.property] = setting.value
            if setting.property == .mode { keptModes[setting.object] = blobs[UInt32(setting.value)] }
        }
        dropConnectors()
    }

    /// As the kernel's atomic check.
    private func validate(_ settings: [KMSSetting], allowModeset: Bool, isTest: Bool) throws(DisplayError) {
        func fail(_ rule: String) -> DisplayError {
            brokenRules.append(rule)
            return .kms("commit", code: EINVAL)
        }
        var (new, modes) = (values, keptModes)
        for setting in settings {
            guard let object = new[setting.object] else { throw fail("no object \(setting.object)") }
            if setting.property == .crtc, setting.value != 0, Self.isConnector(setting.object),
                slots[setting.object] == nil
            {
                throw .kms("commit", code: EINVAL)  // it is gone, of which the driver may not know
            }
            if setting.property == .inFence, !takesFences { throw .kms("commit", code: EINVAL) }
            if setting.property == .framebuffer, refusedFramebuffers.contains(UInt32(setting.value)) {
                throw .kms("commit", code: EINVAL)
            }
            if let rule = brokenRule(by: setting, of: object) { throw fail(rule) }
            new[setting.object]?[setting.property] = setting.value
            if setting.property == .mode {
                guard setting.value == 0 || blobs[UInt32(setting.value)] != nil else { throw fail("no such blob") }
                modes[setting.object] = blobs[UInt32(setting.value)]
            }
            if setting.property == .framebuffer, setting.value != 0, framebuffers[UInt32(setting.value)] == nil {
                throw fail("no such framebuffer")
            }
            let blanks: [KMSProperty] = [.mode, .isActive, .linkStatus]
            if !allowModeset, blanks.contains(setting.property) {
                throw fail("\(setting.property) without leave to blank")
            }
        }
        for crtc in crtcs {
            let isActive = new[crtc]?[.isActive] == 1
            let connected = new.keys.filter { Self.isConnector($0) && new[$0]?[.crtc] == UInt64(crtc) }
            guard isActive else {
                if !connected.isEmpty, modes[crtc] == nil { throw fail("a connector with a dark CRTC") }
                continue
            }
            guard let mode = modes[crtc] else { throw fail("active without a mode") }
            guard connected.count == 1 else { throw fail("\(connected.count) connectors with one CRTC") }
            let size = PixelSize.ofFake(mode)
            if refusedSizes.contains(size) { throw .kms("commit", code: EINVAL) }
            if let rule = brokenRule(of: crtc, new, size) { throw fail(rule) }
            if let error = accident(of: crtc, new, isTest: isTest) { throw error }
        }
    }

    func takeFlip(timeout: Nanoseconds) throws(DisplayError) -> PageFlip? {
        try check()
        settle()
        let limit = clock.now + timeout
        if events.isEmpty {
            let ends = pending.values.compactMap { $0.token == nil || $0.isLost ? nil : $0.end }
            clock.now = min(limit, ends.min() ?? limit)
            settle()
        }
        return events.isEmpty ? nil : events.removeFirst()
    }
}

extension PixelSize {
    fileprivate static func ofFake(_ mode: [UInt8]) -> PixelSize {
        PixelSize(width: Int(mode[0]), height: Int(mode[1]))
    }
}
