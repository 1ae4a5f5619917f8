// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization
import System
import Time

@testable import Codecs

/// A decoder of the streams of `FakeStream`, with the faults that it is given; of any other stream a unit is a picture,
/// as they come. Time passes in `wait` alone.
final class FakeDecoder: V4L2Device {
    struct Faults: Sendable {
        /// Does nothing more once it is there.
        var wedge: DecoderPhase?
        /// Does nothing more behind so many pictures.
        var wedgesBehind: Int?
        /// Makes no picture of units behind so many, and takes them all the same.
        var eatsBehind: Int?
        /// Pictures of units behind so many are of another size; of streams that do not say it.
        var changesBehind: Int?
        /// Keeps who gives it a unit waiting.
        var hesitates = Nanoseconds.zero
        /// The call of this number, from 1, and errno; no device: all those behind it as well.
        var refusal: (call: Int, code: CInt)?
        var claimedMinimum: Int? = 2
        /// Buffers that it decodes with.
        var minimum = 1
        /// Asks for another set-up in place of each picture.
        var isRestless = false
        /// The last buffer is the last picture, else an empty one.
        var lastIsPicture = false
        var serial: @Sendable (UInt64) -> UInt64 = { $0 }
        var outliveTheirQueue = true
        /// Of those that are asked for, how many there are.
        var made: @Sendable (Int) -> Int = { $0 }
        /// Its first format; others are offered as well.
        var native = FourCC("YU12")
        var offered = [FourCC("YU12"), FourCC("NV12")]
        var ignoresSetFormat = false
        /// Dequeues what was never queued.
        var inventsBuffers = false
        /// Says that it ended with every picture.
        var endsForNothing = false
        /// The place of a unit's picture among all; it keeps some, and gives the first when one more comes. Of streams
        /// that do not say it.
        var place: (@Sendable ([UInt8]) -> Int)?
        var keeps = 2
    }

    let name = "fake"
    var faults: Faults
    private(set) var calls = 0
    private(set) var shutDowns = 0
    /// Of the units that it was given, the value of their samples.
    private(set) var values: [UInt8] = []
    var now: Monotonic {
        get { clock.now }
        set { clock.now = newValue }
    }
    /// Buffers mapped and not let go, each of pictures with a descriptor.
    let live: LiveCount
    private let clock: FakeClock
    private let stream: FourCC
    private var given = 0

    private struct Unit {
        let index: Int
        let octets: [UInt8]
        let serial: UInt64
        let place: Int?
    }

    private var isOn: [V4L2Queue: Bool] = [.coded: false, .pictures: false]
    private var memory: [V4L2Queue: [Weak]] = [:]
    private var count: [V4L2Queue: Int] = [.coded: 0, .pictures: 0]
    private var units: [Unit] = []
    private var codedDone: [V4L2Done] = []
    private var free: [Int] = []
    private var done: [V4L2Done] = []
    /// Pictures that others may have to go before.
    private var kept: [(place: Int, serial: UInt64)] = []
    private var events: [V4L2Event] = []
    private var size: UInt8 = 0
    private var format: FourCC
    private var isDraining = false
    private var isStopped = false
    private var isEnded = false

    private struct Weak { weak var memory: DeviceMemory? }

    init(
        _ faults: Faults = Faults(), of stream: FourCC = .fwht, clock: FakeClock = FakeClock(),
        live: LiveCount = LiveCount()
    ) {
        self.faults = faults
        self.stream = stream
        self.clock = clock
        self.live = live
        format = faults.native
    }

    private func call(_ name: String) throws(SystemCallError) {
        calls += 1
        guard let refusal = faults.refusal else { return }
        if calls == refusal.call || refusal.code == ENODEV && calls > refusal.call {
            throw SystemCallError(name, Errno(rawValue: refusal.code))
        }
    }

    // MARK: Formats

    func formats(of queue: V4L2Queue) -> [V4L2FormatChoice] {
        queue == .coded
            ? [V4L2FormatChoice(format: stream, takesPieces: stream == .fwht)]
            : faults.offered.map { V4L2FormatChoice(format: $0, takesPieces: false) }
    }

    func format(of queue: V4L2Queue) throws(SystemCallError) -> V4L2Format {
        try call("VIDIOC_G_FMT")
        return current
    }

    private var current: V4L2Format {
        let width = 32 + 16 * Int(size)
        return V4L2Format(
            format: format, width: width, height: 32, planes: [V4L2Format.Plane(stride: width, octets: width * 48)])
    }

    func setFormat(_ format: V4L2Format, of queue: V4L2Queue) throws(SystemCallError) -> V4L2Format {
        try call("VIDIOC_S_FMT")
        if queue == .coded { return format }
        if !faults.ignoresSetFormat { self.format = format.format }
        return current
    }

    func visibleArea() -> V4L2Rectangle? { V4L2Rectangle(left: 0, top: 0, width: current.width - 2, height: 30) }
    func pixelAspect() -> (width: Int, height: Int)? { nil }
    func minimumPictures() -> Int? { faults.claimedMinimum }

    // MARK: Buffers

    func makeBuffers(_ count: Int, of queue: V4L2Queue) throws(SystemCallError) -> V4L2Buffers {
        try call("VIDIOC_REQBUFS")
        let isHeld = memory[queue, default: []].contains { $0.memory != nil }
        guard !isHeld || faults.outliveTheirQueue else { throw SystemCallError("VIDIOC_REQBUFS", .busy) }
        memory[queue] = []
        if queue == .pictures { (free, done) = ([], []) }
        self.count[queue] = count == 0 ? 0 : faults.made(count)
        return V4L2Buffers(count: self.count[queue] ?? 0, outliveTheirQueue: faults.outliveTheirQueue)
    }

    func memory(of index: Int, of queue: V4L2Queue) throws(SystemCallError) -> DeviceMemory {
        try call("mmap")
        let octets = queue == .coded ? stream == .fwht ? 64 : 1 << 16 : current.planes[0].octets
        let made = try Self.map(octets, isExported: queue == .pictures, live)
        memory[queue, default: []].append(Weak(memory: made))
        return made
    }

    /// Each mapping of such a file is memory of its own.
    private static func map(
        _ octets: Int, isExported: Bool, _ live: LiveCount
    ) throws(SystemCallError) -> DeviceMemory {
        let file = try syscall("open /dev/zero") { Glibc.open("/dev/zero", O_RDWR | O_CLOEXEC) }
        nonisolated(unsafe) let base = mmap(nil, octets, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
        if !isExported { close(file) }
        guard base != MAP_FAILED else { throw SystemCallError("mmap", .current) }
        live.change(by: 1)
        let bytes = UnsafeMutableRawBufferPointer(start: base, count: octets)
        return DeviceMemory([DeviceMemory.Plane(descriptor: isExported ? file : nil, bytes: bytes)]) {
            if munmap(base, octets) == 0, !isExported || close(file) == 0 { live.change(by: -1) }
        }
    }

    func enqueue(_ index: Int, of queue: V4L2Queue, octets: Int?, serial: UInt64) throws(SystemCallError) {
        try call("VIDIOC_QBUF")
        guard queue == .coded else {
            free.append(index)
            return
        }
        now += faults.hesitates
        let whole = memory[.coded]?[index].memory?.planes[0].bytes.prefix(octets ?? 0).map { $0 } ?? []
        let size: UInt8 = faults.changesBehind.map { serial > $0 } ?? false ? 2 : 1
        let bytes = stream == .fwht ? whole : [FakeStream.picture, size, UInt8(truncatingIfNeeded: serial)]
        values.append(bytes.count > 2 ? bytes[2] : 0)
        units.append(Unit(index: index, octets: bytes, serial: serial, place: faults.place?(whole)))
    }

    func dequeue(from queue: V4L2Queue) throws(SystemCallError) -> V4L2Dequeued {
        try call("VIDIOC_DQBUF")
        if faults.inventsBuffers {
            return .buffer(V4L2Done(index: 77, octets: 1, serial: 1, isDamaged: false, isLast: false))
        }
        if queue == .coded { return codedDone.isEmpty ? .nothing : .buffer(codedDone.removeFirst()) }
        if isEnded { return .ended }
        guard !done.isEmpty else { return .nothing }
        isEnded = done[0].isLast
        return .buffer(done.removeFirst())
    }

    func stream(_ queue: V4L2Queue, isOn on: Bool) throws(SystemCallError) {
        try call(on ? "VIDIOC_STREAMON" : "VIDIOC_STREAMOFF")
        isOn[queue] = on
        guard !on else { return }
        if queue == .coded {
            (units, codedDone, kept, isDraining) = ([], [], [], false)
        } else {
            (free, done, isStopped, isEnded) = ([], [], false, false)
        }
    }

    func drain() throws(SystemCallError) {
        try call("VIDIOC_DECODER_CMD")
        guard !isDraining else { throw SystemCallError("VIDIOC_DECODER_CMD", .busy) }
        isDraining = true
    }

    func takeEvent() throws(SystemCallError) -> V4L2Event? {
        try call("VIDIOC_DQEVENT")
        return events.isEmpty ? nil : events.removeFirst()
    }

    func shutDown() {
        shutDowns += 1
        (units, codedDone, kept, free, done) = ([], [], [], [], [])
    }

    // MARK: Its work

    func wait(forCoded: Bool, forPictures: Bool, atMost span: Nanoseconds) {
        let hasDone = forCoded && !codedDone.isEmpty || forPictures && (!done.isEmpty || isEnded) || !events.isEmpty
        now += hasDone || decode() ? min(span, .milliseconds(2)) : span
    }

    private var isWedged: Bool {
        if let most = faults.wedgesBehind, given >= most { return true }
        return switch faults.wedge {
        case .awaitingHeader: isOn[.pictures] == false
        case .decoding: isOn[.pictures] == true
        case .changing: isStopped && !isDraining
        case .draining: isDraining
        default: false
        }
    }

    private var hasPictures: Bool { isOn[.pictures] == true && free.count >= faults.minimum }

    private func decode() -> Bool {
        guard isOn[.coded] == true, !isWedged, !isStopped else { return false }
        guard let unit = units.first else { return isDraining && sendLast() }
        if unit.octets.first == FakeStream.part, units.count == 1 { return isDraining && sendLast() }
        guard unit.octets.first == FakeStream.picture, unit.octets.count >= 3 else {
            let isCut = unit.octets.first == FakeStream.cut
            guard !isCut || hasPictures else { return false }
            if isCut { give(octets: 0, serial: unit.serial, isDamaged: true) }
            return finish(unit)
        }
        if let most = faults.eatsBehind, given >= most { return finish(unit) }
        guard size == unit.octets[1], !(faults.isRestless && isOn[.pictures] == true) else { return change(unit) }
        guard hasPictures else { return false }
        if let place = unit.place {
            kept.append((place, unit.serial))
            if kept.count > faults.keeps { giveKept() }
            return finish(unit)
        }
        let isEnd = isDraining && units.count == 1 && faults.lastIsPicture || faults.endsForNothing
        give(octets: current.planes[0].octets, serial: unit.serial, value: unit.octets[2], isLast: isEnd)
        isStopped = isEnd
        if isEnd { isDraining = false }
        return finish(unit)
    }

    private func finish(_ unit: Unit) -> Bool {
        units.removeFirst()
        codedDone.append(V4L2Done(index: unit.index, octets: 0, serial: 0, isDamaged: false, isLast: false))
        return true
    }

    private func change(_ unit: Unit) -> Bool {
        if isOn[.pictures] == true {
            guard hasPictures else { return false }
            if faults.wedge != .changing { give(octets: 0, serial: 3, isLast: true) }
            isStopped = true
        } else if !events.isEmpty || size == unit.octets[1] {
            return false
        }
        (size, format) = (unit.octets[1], faults.native)
        events.append(.sourceChange)
        return true
    }

    /// An empty one bears the marks of another.
    private func sendLast() -> Bool {
        guard hasPictures else { return false }
        guard kept.isEmpty else {
            giveKept()
            return true
        }
        give(octets: 0, serial: 1, isLast: true)
        events.append(.endOfStream)
        (isStopped, isDraining) = (true, false)
        return true
    }

    private func giveKept() {
        guard let next = kept.indices.min(by: { kept[$0].place < kept[$1].place }) else { return }
        give(octets: current.planes[0].octets, serial: kept.remove(at: next).serial)
    }

    private func give(octets: Int, serial: UInt64, value: UInt8 = 0, isDamaged: Bool = false, isLast: Bool = false) {
        given += 1
        let index = free.removeFirst()
        memory[.pictures]?[index].memory?.planes[0].bytes.initializeMemory(as: UInt8.self, repeating: value)
        done.append(
            V4L2Done(
                index: index, octets: octets, serial: faults.serial(serial), isDamaged: isDamaged, isLast: isLast))
    }
}

/// Several devices' time.
final class FakeClock {
    var now = Monotonic(nanoseconds: 1_000_000_000)
}

final class LiveCount: Sendable {
    private let count = Mutex(0)
    var value: Int { count.withLock { $0 } }
    func change(by step: Int) { count.withLock { $0 += step } }
}

/// Units of three octets: what it is, its size's number (1 is the first), the value of its samples.
enum FakeStream {
    static let picture: UInt8 = 1
    static let cut: UInt8 = 2
    static let noise: UInt8 = 3
    /// Kept until more comes.
    static let part: UInt8 = 4

    static func pictures(_ values: ClosedRange<UInt8>, size: UInt8 = 1) -> [[UInt8]] {
        values.map { [picture, size, $0] }
    }
}
