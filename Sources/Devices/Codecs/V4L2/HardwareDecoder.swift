// SPDX-License-Identifier: Apache-2.0
import Media
import Synchronization
import System
import Time

/// Decodes a stream's units by a V4L2 stateful memory-to-memory device. Pictures lie in the device's own buffers, which
/// are dma-bufs; none is copied.
///
/// `DecoderMachine` decides, this class acts. After an error every later call throws it again: the device is closed,
/// and pictures already handed out stay valid.
/// - Thread: one, which owns it. Pictures may be released on any thread, also after the decoder.
public final class HardwareDecoder {
    public var phase: DecoderPhase { machine.phase }
    public var counts: DecoderCounts { machine.counts }
    /// Whether all that was sent before `drain` has come out.
    public var isDrained: Bool { machine.phase == .drained && ready.isEmpty }
    /// Whether the device is working, or was within the last `span`: pictures may come without another unit.
    public func isOwing(_ span: Nanoseconds) -> Bool {
        machine.mayDequeueCoded || machine.deadline != nil || clock() < machine.progress + span
    }
    /// Size of a coded buffer in octets, the largest unit that it takes whole.
    public var codedOctets: Int { coded.first?.planes.first?.bytes.count ?? 0 }
    /// Format of the pictures; nil until the stream's header has been decoded.
    private(set) var format: PictureFormat?

    private let device: any V4L2Device
    private let stream: V4L2FormatChoice
    private let clock: () -> Monotonic
    private let size: DecoderNeed.Size
    private var machine: DecoderMachine
    private var coded: [DeviceMemory] = []
    private var pictures: [PictureBuffer] = []
    private var ready: [ReadyPicture] = []
    private let returns = PictureReturns()
    private var units: UnitTimes

    private struct ReadyPicture {
        let ticket: DecoderMachine.PictureTicket
        let buffer: PictureBuffer
        let format: PictureFormat
        let unit: UnitTimes.Unit
        let isDamaged: Bool
    }

    private struct PictureBuffer {
        let memory: DeviceMemory
        let shared: SharedPicture?
    }

    /// Smallest coded buffer to ask for, in octets. Larger pictures ask for one octet per pixel; the device may choose
    /// otherwise.
    private static let leastCodedSize = 1 << 20
    /// Limit on buffers dequeued in one go, more than there can be, so that a device that returns them at once cannot
    /// hold us up.
    private static let mostAtOnce = 2 * DecoderMachine.mostBuffers

    /// Timeout after which a device that has all it needs but neither delivers nor asks counts as wedged.
    public static let patience = Nanoseconds.milliseconds(500)

    /// - Parameters:
    ///   - size: size of the stream's pictures if known; it decides the size of the coded buffers.
    ///   - sparePictures: number of pictures that readers may keep, beyond those that the device needs.
    ///   - mostInVain: number of whole units that it may take without a picture; nil for no limit.
    ///   - clock: `SystemClock`'s monotonic clock, or a test's.
    init(
        _ device: any V4L2Device, decoding format: FourCC, size: DecoderNeed.Size? = nil, codedBuffers: Int = 4,
        sparePictures: Int = 4, patience: Nanoseconds = patience, mostInVain: Int? = nil,
        clock: @escaping () -> Monotonic = SystemClock.monotonic
    ) throws(DecoderFault) {
        guard let stream = device.formats(of: .coded).first(where: { $0.format == format }) else {
            throw .noDevice(format)
        }
        self.device = device
        self.stream = stream
        self.clock = clock
        self.size = size ?? DecoderNeed.Size(width: 1_920, height: 1_088)
        machine = DecoderMachine(
            requestedCoded: codedBuffers, requestedSpare: sparePictures, patience: patience, mostInVain: mostInVain)
        units = UnitTimes()
        try handle(.begun)
    }

    deinit {
        guard !machine.isOver else { return }
        device.shutDown()
    }

    // MARK: Units in

    /// - Parameters:
    ///   - bytes: the unit, copied; any part of the stream if the device takes parts of units.
    ///   - unit: its time is that of the picture that ends in these octets.
    /// - Returns: false if there is no room now; call `advance`, then try again.
    /// - Throws: `unitTooLarge` for such a unit, or the fault that ended the decoder.
    public func offer(_ bytes: UnsafeRawBufferPointer, of unit: AccessUnit) throws(DecoderFault) -> Bool {
        try work()
        if machine.phase == .drained, !bytes.isEmpty { try handle(.resumeAsked) }
        guard !bytes.isEmpty, bytes.count > codedOctets else { return try put(bytes, of: unit) }
        guard stream.takesPieces, codedOctets > 0 else { throw .unitTooLarge(octets: bytes.count) }
        // All parts or none, so that the caller need not know how far it went.
        guard bytes.count <= codedOctets * coded.count else { throw .unitTooLarge(octets: bytes.count) }
        let pieces = (bytes.count + codedOctets - 1) / codedOctets
        guard machine.freeCodedBuffer != nil, machine.coded.count(where: { !$0 }) >= pieces else { return false }
        for start in stride(from: 0, to: bytes.count, by: codedOctets) {
            let end = min(bytes.count, start + codedOctets)
            _ = try put(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), of: unit, isWhole: end == bytes.count)
        }
        return true
    }

    /// - Parameter isWhole: whether these octets end the unit.
    private func put(
        _ bytes: UnsafeRawBufferPointer, of unit: AccessUnit, isWhole: Bool = true
    ) throws(DecoderFault) -> Bool {
        guard let index = machine.freeCodedBuffer else { return false }
        guard !bytes.isEmpty else { return true }
        guard let target = coded[index].planes.first?.bytes else { return false }
        target.copyMemory(from: bytes)
        units.note(unit, as: machine.nextSerial)
        // No picture is due for a damaged unit.
        try handle(.unitOffered(octets: bytes.count, isPicture: isWhole && !unit.isDamaged))
        return true
    }

    /// Ends the stream: `isDrained` becomes true after `take` has returned all pictures. A unit that is offered later
    /// resumes it.
    public func drain() throws(DecoderFault) { try handle(.drainAsked) }

    /// Drops all state; the next unit should be a random-access point.
    public func flush() throws(DecoderFault) {
        for picture in ready { returns.put(picture.ticket) }
        ready = []
        try takeReturns()
        try handle(.flushAsked)
    }

    // MARK: Pictures out

    /// The next picture in presentation order; nil if there is none now.
    public func take() throws(DecoderFault) -> VideoFrame? {
        if ready.isEmpty { try work() }
        guard !ready.isEmpty else { return nil }
        let picture = ready.removeFirst()
        let loan = PictureLoan(picture.ticket, picture.buffer.memory, returns)
        guard
            let frame = VideoFrame(
                picture.format, loan, picture.buffer.shared, picture.unit, isDamaged: picture.isDamaged)
        else { throw .nonsense("buffers smaller than their pictures") }
        return frame
    }

    /// Waits until the device has done something, at most for `span`, and handles it.
    public func advance(atMost span: Nanoseconds) throws(DecoderFault) {
        try work()
        guard ready.isEmpty else { return }
        var span = span
        if let deadline = machine.deadline { span = min(span, max(.zero, deadline - clock())) }
        // A picture that a reader gives back does not interrupt the wait.
        if machine.isStarved { span = min(span, .milliseconds(5)) }
        device.wait(
            forCoded: machine.mayDequeueCoded, forPictures: machine.mayDequeuePictures, atMost: span)
        try work()
    }

    /// Closes the device. Pictures already handed out stay valid.
    public func close() {
        // An error was already thrown to the caller when it occurred.
        _ = try? handle(.closeAsked)
    }

    // MARK: Performing actions

    private func work() throws(DecoderFault) {
        if let fault = machine.fault { throw fault }
        guard !machine.isOver else { throw .gone }
        try takeReturns()
        try readEvents()
        try dequeueCoded()
        try dequeuePictures()
        if let deadline = machine.deadline, clock() >= deadline { try handle(.ticked) }
    }

    private func takeReturns() throws(DecoderFault) {
        for ticket in returns.takeAll() { try handle(.pictureReturned(ticket)) }
    }

    private func readEvents() throws(DecoderFault) {
        for _ in 0..<Self.mostAtOnce {
            guard let event = try asking({ () throws(SystemCallError) in try device.takeEvent() }) else { return }
            // An end-of-stream event needs no action, because the last buffer follows it.
            if event == .sourceChange { try handle(.sourceChanged) }
        }
    }

    private func dequeueCoded() throws(DecoderFault) {
        for _ in 0..<Self.mostAtOnce where machine.mayDequeueCoded {
            let answer = try asking { () throws(SystemCallError) in try device.dequeue(from: .coded) }
            guard case .buffer(let done) = answer else { return }
            try handle(.codedDone(done))
        }
    }

    private func dequeuePictures() throws(DecoderFault) {
        for _ in 0..<Self.mostAtOnce where machine.mayDequeuePictures {
            switch try asking({ () throws(SystemCallError) in try device.dequeue(from: .pictures) }) {
            case .nothing: return
            case .ended:
                // The source change was signalled before, but maybe after we last read events.
                try readEvents()
                try handle(.picturesEnded)
            case .buffer(let done):
                if done.isLast { try readEvents() }
                try handle(.pictureDone(done))
            }
        }
    }

    /// Makes a call that no action asked for; a failure ends the decoder.
    private func asking<Answer>(_ call: () throws(SystemCallError) -> Answer) throws(DecoderFault) -> Answer {
        do throws(SystemCallError) {
            return try call()
        } catch {
            let fault = DecoderFault(error)
            try handle(.unsuitable(fault))
            throw fault
        }
    }

    private func handle(_ event: DecoderMachine.Event) throws(DecoderFault) {
        let wasOver = machine.isOver
        var waiting = machine.handle(event, now: clock())
        while !waiting.isEmpty {
            let action = waiting.removeFirst()
            switch perform(action) {
            case nil: break
            case .refused(let action, let error):
                waiting = machine.handle(.refused(action, error), now: clock())
            case .some(let answer):
                waiting = machine.handle(answer, now: clock()) + waiting
            }
        }
        if !wasOver, let fault = machine.fault { throw fault }
    }

    /// - Returns: the answer, or the refusal; nil if the action has no answer.
    private func perform(_ action: DecoderMachine.Action) -> DecoderMachine.Event? {
        do throws(SystemCallError) {
            switch action {
            case .setCodedFormat: return try setCodedFormat()
            case .makeCoded(let count):
                let made = try makeBuffers(count, of: .coded)
                coded = made.memory
                return .codedBuffersMade(made.buffers.count)
            case .freePictures:
                pictures = []
                _ = try device.makeBuffers(0, of: .pictures)
            case .negotiate: return try negotiate()
            case .makePictures(let count, _):
                let made = try makeBuffers(count, of: .pictures)
                let format = format
                pictures = made.memory.map { PictureBuffer(memory: $0, shared: format?.shared(in: $0)) }
                return .picturesMade(made.buffers)
            case .stream(let queue, let isOn): try device.stream(queue, isOn: isOn)
            case .queuePicture(let index): try device.enqueue(index, of: .pictures, octets: nil, serial: 0)
            case .queueCoded(let index, let octets, let serial):
                try device.enqueue(index, of: .coded, octets: octets, serial: serial)
            case .drain: try device.drain()
            case .readEvents: return try discardEvents()
            case .deliver(let ticket, let serial, let isDamaged): deliver(ticket, serial, isDamaged: isDamaged)
            case .shutDown: shutDown()
            }
            return nil
        } catch {
            return .refused(action, error)
        }
    }

    private func setCodedFormat() throws(SystemCallError) -> DecoderMachine.Event {
        let (width, height) = (min(max(16, size.width), 16_384), min(max(16, size.height), 16_384))
        let plane = V4L2Format.Plane(stride: 0, octets: max(Self.leastCodedSize, width * height))
        let wish = V4L2Format(format: stream.format, width: width, height: height, planes: [plane])
        let answer = try device.setFormat(wish, of: .coded)
        return answer.format == stream.format ? .codedFormatSet : .unsuitable(.refusedFormat(stream.format))
    }

    private func negotiate() throws(SystemCallError) -> DecoderMachine.Event {
        do throws(NegotiationError) {
            format = try PictureNegotiation(device).agree()
            return .formatNegotiated(minimum: device.minimumPictures())
        } catch {
            switch error {
            case .call(let error): throw error
            case .unsuitable(let fault): return .unsuitable(fault)
            }
        }
    }

    /// Makes all buffers or none.
    private func makeBuffers(
        _ count: Int, of queue: V4L2Queue
    ) throws(SystemCallError) -> (buffers: V4L2Buffers, memory: [DeviceMemory]) {
        let buffers = try device.makeBuffers(count, of: queue)
        var memory: [DeviceMemory] = []
        do throws(SystemCallError) {
            // The machine refuses a larger count.
            for index in 0..<min(max(0, buffers.count), DecoderMachine.mostBuffers) {
                memory.append(try device.memory(of: index, of: queue))
            }
        } catch {
            memory = []
            // Buffers that cannot be freed now are freed with the device.
            _ = try? device.makeBuffers(0, of: queue)
            throw error
        }
        return (buffers, memory)
    }

    private func discardEvents() throws(SystemCallError) -> DecoderMachine.Event {
        var hasSourceChange = false
        for _ in 0..<Self.mostAtOnce {
            guard let event = try device.takeEvent() else { break }
            if event == .sourceChange { hasSourceChange = true }
        }
        return .eventsRead(hasSourceChange: hasSourceChange)
    }

    private func deliver(_ ticket: DecoderMachine.PictureTicket, _ serial: UInt64, isDamaged: Bool) {
        // The machine has checked both: the buffer is one of these, and the serial is a unit's.
        guard let format, pictures.indices.contains(ticket.index), let unit = units.unit(serial) else {
            returns.put(ticket)
            return
        }
        ready.append(
            ReadyPicture(
                ticket: ticket, buffer: pictures[ticket.index], format: format, unit: unit, isDamaged: isDamaged))
    }

    private func shutDown() {
        (coded, pictures, ready) = ([], [], [])
        device.shutDown()
    }
}
