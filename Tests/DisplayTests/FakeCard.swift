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
    let controllers: [UInt32] = [40, 41]
    var planes = FakeCard.plainPlanes {
        didSet {
            for plane in planes where values[plane.id] == nil { values[plane.id] = [.frame: 0, .controller: 0] }
        }
    }
    let clock: Clock

    // What is about to go wrong.
    var refusesCommits = 0
    var refusal = EBUSY
    var modesetSpan = FakeCard.usualModesetSpan
    var losesModesets = 0
    /// Controllers that refuse everything, and those whose flips get lost.
    var refusing: Set<UInt32> = []
    var losing: Set<UInt32> = []
    /// Controllers of a connector that cannot have all.
    var possible: [UInt32: [UInt32]] = [:]
    var refusesAll = false
    var refusedSizes: Set<PixelSize> = []
    var refusedFrames: Set<UInt32> = []
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
    var frames: [UInt32: Frame] = [:]
    var nextID: UInt32 = 100

    /// What a controller's screen gets.
    private struct Signal {
        var mode: [UInt8]
        /// The values of each plane.
        var planes: [UInt32: [KMSProperty: UInt64]]
    }
    private var signals: [UInt32: Signal] = [:]
    /// Of a controller, that is not done.
    private struct Pending {
        let token: UInt64?
        let end: Monotonic
        let isLost: Bool
    }
    private var pending: [UInt32: Pending] = [:]
    private var events: [KMSFlip] = []

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

    /// Off and on again.
    func replug(_ connector: UInt32) { slots[connector]?.isSilent = true }

    func breakLink(_ connector: UInt32) { slots[connector]?.isLinkBad = true }

    /// Made and not destroyed.
    var livingBlobs: Int { blobs.count }
    var livingFrames: Int { frames.count }

    /// What people see: the first pixel of the first display that has a signal it can show.
    var picture: [UInt8]? { slots.keys.sorted().lazy.compactMap { self.picture(of: $0) }.first }

    func picture(of connector: UInt32) -> [UInt8]? {
        settle()
        guard !isGone, let slot = slots[connector], let display = slot.display, !slot.isLinkBad, !slot.isSilent,
            let controller = values[connector]?[.controller], let signal = signals[UInt32(controller)],
            display.timings.contains(where: { $0.octets == signal.mode }), let octets = firstPixel(signal.planes)
        else { return nil }
        return octets
    }

    /// Whether people see what lies there, or will.
    func shows(_ memory: UnsafeMutableRawBufferPointer) -> Bool {
        settle()
        return (signals.values.flatMap(\.planes) + Array(values)).contains { _, values in
            values[.frame].flatMap { frames[UInt32($0)] }?.memory.baseAddress == memory.baseAddress
        }
    }

    /// What drives the connector.
    func mode(of connector: UInt32) -> [UInt8]? { keptModes[UInt32(values[connector]?[.controller] ?? 0)] }

    /// A console was there before us.
    func startConsole(on connector: UInt32, _ timing: KMSTiming) throws(DisplayError) -> KMSBuffer {
        let buffer = try makeBuffer(timing.mode.size)
        let route = ScreenRoute(plane: 30, controller: 40, connector: connector, timing: timing)
        let blob = try makeBlob(timing.octets)
        try commit(route.settings(showing: buffer.frame, modeBlob: blob), .mayBlank, token: 0)
        destroyBlob(blob)
        return buffer
    }

    // MARK: The card

    func check() throws(DisplayError) { if isGone { throw .kms("card", code: ENODEV) } }

    func readConnectors(asksDisplays: Bool) throws(DisplayError) -> [KMSConnector] {
        try check()
        return slots.sorted { $0.key < $1.key }.map { id, slot in
            KMSConnector(
                id: id, name: slot.name, isConnected: slot.display != nil, isLinkBad: slot.isLinkBad,
                edid: slot.display?.edid ?? [], timings: slot.display?.timings ?? [],
                controllers: possible[id] ?? controllers,
                controller: values[id]?[.controller].flatMap { $0 == 0 ? nil : UInt32($0) })
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
        try validate(settings, mayBlank: options.contains(.mayBlank), isTest: isTest)
        let touched = controllers.filter { isTouched($0, by: settings) }
        guard refusing.isDisjoint(with: touched) else { throw .kms("commit", code: EINVAL) }
        if isTest { return }
        fences += settings.count { $0.property == .inFence }
        let before = (values: values, modes: keptModes)
        if options.isDisjoint(with: [.withEvent, .atOnce]) {
            clock.now = max(clock.now, touched.compactMap { pending[$0]?.end }.max() ?? clock.now)
            settle()
        }
        guard touched.allSatisfy({ pending[$0] == nil }) else { throw .kms("commit", code: EBUSY) }
        apply(settings)
        let isModeset = options.contains(.mayBlank)
        if isModeset { modesets += touched.contains { values[$0]?[.isActive] == 1 } ? 1 : 0 }
        for controller in touched {
            let isDark = values[controller]?[.isActive] != 1
            guard !isDark || before.values[controller]?[.isActive] == 1 else { continue }
            let span = Self.frameSpan.count
            var end = Monotonic(nanoseconds: (clock.now.nanoseconds / span + 1) * span)
            let connectors = slots.keys.filter { values[$0]?[.controller] == UInt64(controller) }
            // To the kernel what is on already is a flip.
            let isNew =
                isDark || before.modes[controller] != keptModes[controller]
                || connectors.contains {
                    slots[$0]?.isLinkBad == true || slots[$0]?.isSilent == true
                        || before.values[$0]?[.controller] != UInt64(controller)
                }
            if isModeset, isNew {
                (end, signals[controller]) = (clock.now + modesetSpan, nil)
                for id in connectors {
                    slots[id]?.isLinkBad = false
                    slots[id]?.isSilent = false
                }
            }
            var isLost = false
            if isModeset, !isDark, losesModesets > 0 { (isLost, losesModesets) = (true, losesModesets - 1) }
            if !isModeset, losing.contains(controller) { isLost = true }
            if !isModeset, losesFlips > 0 { (isLost, losesFlips) = (true, losesFlips - 1) }
            pending[controller] = Pending(
                token: options.contains(.withEvent) ? token : nil, end: isLost ? clock.now + Self.lossSpan : end,
                isLost: isLost)
        }
        guard options.isDisjoint(with: [.withEvent, .atOnce]) else { return }
        clock.now = max(clock.now, touched.compactMap { pending[$0]?.end }.max() ?? clock.now)
        settle()
    }

    private func isTouched(_ controller: UInt32, by settings: [KMSSetting]) -> Bool {
        settings.contains {
            $0.object == controller || values[$0.object]?[.controller] == UInt64(controller)
                || $0.property == .controller && $0.value == UInt64(controller)
        }
    }

    /// What was to be done by now is done.
    private func settle() {
        for (controller, one) in pending.sorted(by: { $0.value.end < $1.value.end }) where one.end <= clock.now {
            pending[controller] = nil
            guard !one.isLost else { continue }
            if let token = one.token {
                events.append(KMSFlip(token: token, controller: controller, visible: one.end))
            }
            guard values[controller]?[.isActive] == 1, let mode = keptModes[controller] else { continue }
            let shown = planes.map(\.id).filter { values[$0]?[.controller] == UInt64(controller) }
            signals[controller] = Signal(
                mode: mode, planes: Dictionary(uniqueKeysWithValues: shown.map { ($0, values[$0] ?? [:]) }))
        }
    }

    private func apply(_ settings: [KMSSetting]) {
        for setting in settings {
            values[setting.object, default: [:]][setting.property] = setting.value
            if setting.property == .mode { keptModes[setting.object] = blobs[UInt32(setting.value)] }
        }
    }

    /// As the kernel's atomic check.
    private func validate(_ settings: [KMSSetting], mayBlank: Bool, isTest: Bool) throws(DisplayError) {
        func fail(_ rule: String) -> DisplayError {
            brokenRules.append(rule)
            return .kms("commit", code: EINVAL)
        }
        var (new, modes) = (values, keptModes)
        for setting in settings {
            guard let object = new[setting.object] else { throw fail("no object \(setting.object)") }
            if setting.property == .inFence, !takesFences { throw .kms("commit", code: EINVAL) }
            if setting.property == .frame, refusedFrames.contains(UInt32(setting.value)) {
                throw .kms("commit", code: EINVAL)
            }
            if let rule = brokenRule(by: setting, of: object) { throw fail(rule) }
            new[setting.object]?[setting.property] = setting.value
            if setting.property == .mode {
                guard setting.value == 0 || blobs[UInt32(setting.value)] != nil else { throw fail("no such blob") }
                modes[setting.object] = blobs[UInt32(setting.value)]
            }
            if setting.property == .frame, setting.value != 0, frames[UInt32(setting.value)] == nil {
                throw fail("no such frame")
            }
            let blanks: [KMSProperty] = [.mode, .isActive, .linkStatus]
            if !mayBlank, blanks.contains(setting.property) { throw fail("\(setting.property) without leave to blank") }
        }
        for controller in controllers {
            let isActive = new[controller]?[.isActive] == 1
            let connected = slots.keys.filter { new[$0]?[.controller] == UInt64(controller) }
            guard isActive else {
                if !connected.isEmpty, modes[controller] == nil { throw fail("a connector with a dark controller") }
                continue
            }
            guard let mode = modes[controller] else { throw fail("active without a mode") }
            guard connected.count == 1 else { throw fail("\(connected.count) connectors with one controller") }
            let size = PixelSize.ofFake(mode)
            if refusedSizes.contains(size) { throw .kms("commit", code: EINVAL) }
            if let rule = brokenRule(of: controller, new, size) { throw fail(rule) }
            if let error = accident(of: controller, new, isTest: isTest) { throw error }
        }
    }

    func takeFlip(within patience: Nanoseconds) throws(DisplayError) -> KMSFlip? {
        try check()
        settle()
        let limit = clock.now + patience
        if events.isEmpty {
            let ends = pending.values.compactMap { $0.token == nil || $0.isLost ? nil : $0.end }
            clock.now = min(limit, ends.min() ?? limit)
            settle()
        }
        return events.isEmpty ? nil : events.removeFirst()
    }
}

extension FakeCard.Display {
    /// - Parameter modes: width, height and Hz; the first is the preferred one.
    init(_ edid: UInt8, _ modes: (Int, Int, Int)...) {
        self.edid = [edid]
        timings = modes.enumerated().map { index, mode in
            KMSTiming(
                mode: KMSMode(
                    size: PixelSize(width: mode.0, height: mode.1), refresh: FrameRate(Int64(mode.2)),
                    isPreferred: index == 0),
                octets: [UInt8(mode.0), UInt8(mode.1), UInt8(mode.2)])
        }
    }

    static let television = Self(1, (192, 108, 60), (192, 108, 50), (128, 72, 60), (64, 48, 60))
    static let other = Self(2, (128, 72, 50), (64, 48, 60))
}

extension PixelSize {
    fileprivate static func ofFake(_ mode: [UInt8]) -> PixelSize {
        PixelSize(width: Int(mode[0]), height: Int(mode[1]))
    }
}
