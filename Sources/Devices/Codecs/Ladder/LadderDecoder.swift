// SPDX-License-Identifier: Apache-2.0
import Media
import Time

/// A stream's units to pictures by the best decoder that does it: a device's, else libavcodec's. When one fails the next
/// begins again at the last random-access point and leaves out what has been shown, so that nobody sees more of it than
/// a picture that stands.
///
/// Between two `send`s, `receive` until it answers nil. Of a device pictures come when it is done, not when it is asked:
/// while `isBusy`, `wait` and `receive`.
/// - Thread: one, which owns it. Frames may end on any thread, also after the decoder.
public final class LadderDecoder {
    public enum Rung: Hashable, Sendable {
        case none, software
        /// Its path.
        case device(String)
    }

    /// A decoder has been opened, or there is none.
    public struct Opening: Hashable, Sendable {
        public let rung: Rung
        /// Why it is no better one; `hardware: no device`.
        public let reason: String?
        public let detail: String?
    }

    /// As long after its last sign of life a device is looked at.
    private static let afterglow = Nanoseconds.milliseconds(100)

    /// What a device has done wrong is forgotten when it has decoded so much of the stream since, in one go.
    private static let probation: Int64 = 60 * 90_000

    /// Of libavcodec; may be set between any two units.
    public var skip = VideoDecoder.SkipLevel.none { didSet { software?.skip = skip } }
    /// Of libavcodec, for the next one that is opened.
    public var threads = 1
    /// libavcodec decodes, with another number of threads than it is to have: it should be opened anew.
    public var isOutdated: Bool { hardware == nil && software != nil && softwareThreads != threads }
    public private(set) var rung = Rung.none

    private let desk: DecoderDesk
    private let choice: DecodingLadder.Choice
    private let opened: (Opening) -> Void
    private var codec: Codec?
    private var ladder: DecodingLadder
    /// As the stream says.
    private var announced = Announcement()
    private var place: DecoderPlace?
    private var software: VideoDecoder?
    private var softwareThreads = 0
    private var hardware: (any DeviceDecoder)?
    private var tape = UnitTape()
    /// No unit follows those of the tape.
    private var wantsEnd = false
    private var hasSentEnd = false
    /// Units are left out up to a random-access point: nobody can decode them.
    private var awaitsPoint = false
    /// Of the picture delivered last.
    private var lastPTS: Int64?
    /// Pictures that may still come a second time.
    private var repeats = 0
    /// Of the first picture of a device since it was opened, or flushed.
    private var provingSince: Int64?

    private struct Announcement {
        var size: DecoderNeed.Size?
        var level: Int?
    }

    /// - Parameter opened: called by whatever opens a decoder.
    public init(
        _ desk: DecoderDesk, _ choice: DecodingLadder.Choice = .auto,
        opened: @escaping (Opening) -> Void
    ) {
        self.desk = desk
        self.choice = choice
        self.opened = opened
        ladder = DecodingLadder(choice)
    }

    // MARK: What it is at

    public var isOpen: Bool { rung != .none }
    /// Each unit is a picture's, or none, before the next is asked for; else time passes.
    public var isSynchronous: Bool { hardware == nil }
    /// Another unit may be sent.
    public var hasRoom: Bool { hardware == nil || tape.waiting == 0 }

    /// Pictures may come without another unit.
    public var isBusy: Bool {
        guard let hardware else { return false }
        return tape.waiting > 0 || hardware.isOwing(Self.afterglow)
    }

    /// All that went in before `drain` has come out.
    public var isDrained: Bool { hardware.map { hasSentEnd && $0.isDrained } ?? (tape.waiting == 0) }

    // MARK: Streams

    /// What was, and what was learned of devices, is forgotten.
    public func begin(_ codec: Codec) {
        close()
        place = nil
        (self.codec, announced) = (codec, Announcement())
        let isInSoftware = VideoCoding(codec).map { VideoCoding.inSoftware.contains($0) } ?? true
        ladder = DecodingLadder(choice, isInSoftware: isInSoftware)
    }

    /// Lets the decoder go; the next unit opens it again and should be a random-access point.
    public func close() {
        hardware?.close()
        hardware = nil
        software = nil
        rung = .none
        forget()
    }

    /// It hangs or errs, as others find: a device is not trusted much longer.
    public func giveUp() {
        if let hardware { ladder.deviceFailed(.wedged(hardware.phase)) }
        close()
    }

    /// Forgets the past; the next unit should be a random-access point.
    public func flush() {
        forget()
        software?.flush()
        do throws(DecoderFault) {
            try hardware?.flush()
        } catch {
            leave(error)
        }
    }

    private func forget() {
        tape.clear()
        (wantsEnd, hasSentEnd, awaitsPoint, lastPTS, repeats) = (false, false, false, nil, 0)
        provingSince = nil
    }

    // MARK: Units in

    /// - Parameter bytes: copied.
    /// - Throws: what libavcodec throws; where nothing may decode it, `noDecoder`.
    public func send(_ unit: AccessUnit, _ bytes: UnsafeRawBufferPointer) throws(CodecError) {
        if awaitsPoint {
            guard unit.isRandomAccess, !unit.isDamaged else { return }
            awaitsPoint = false
        }
        try open(unit, bytes)
        guard hardware != nil || !tape.isEmpty else {
            try software?.send(unit, bytes)
            return
        }
        (wantsEnd, hasSentEnd) = (false, false)
        tape.append(unit, bytes)
        do throws(DecoderFault) {
            try play()
        } catch {
            try fall(error)
        }
    }

    /// No unit follows: `receive` gives what is still inside, `wait` while not `isDrained`. Before the next unit,
    /// `flush`.
    public func drain() throws(CodecError) {
        guard hardware != nil || !tape.isEmpty else {
            try software?.drain()
            return
        }
        wantsEnd = true
    }

    /// Of a random-access unit alone, at once; see `VideoDecoder`. Only where `isSynchronous`.
    public func firstPicture(
        of unit: AccessUnit, _ bytes: UnsafeRawBufferPointer
    ) throws(CodecError) -> VideoFrame? {
        try open(unit, bytes)
        guard isSynchronous, tape.isEmpty else { return nil }
        return try software?.firstPicture(of: unit, bytes)
    }

    /// Gives a device what it has room for.
    private func play() throws(DecoderFault) {
        guard let hardware else { return }
        while try tape.play({ (unit, bytes) throws(DecoderFault) -> Bool in try hardware.offer(bytes, of: unit) }) {}
        guard wantsEnd, !hasSentEnd, tape.waiting == 0 else { return }
        try hardware.drain()
        hasSentEnd = true
    }

    // MARK: Pictures out

    /// The next picture in presentation order; nil when there is none now.
    public func receive() throws(CodecError) -> VideoFrame? {
        if hardware == nil, tape.isEmpty { return try software?.receive() }
        while let frame = try receiveNext() {
            guard isRepeated(frame.pts) else {
                lastPTS = frame.pts
                if hardware != nil { deviceDelivered(pts: frame.pts) }
                return frame
            }
        }
        return nil
    }

    private func deviceDelivered(pts: Int64) {
        tape.pictureDelivered(pts: pts)
        guard let since = provingSince, pts >= since else { return provingSince = pts }
        guard pts &- since >= Self.probation else { return }
        provingSince = pts
        ladder.deviceProved()
    }

    private func receiveNext() throws(CodecError) -> VideoFrame? {
        while hardware != nil {
            do throws(DecoderFault) {
                try play()
                return try hardware?.take()
            } catch {
                try fall(error)
            }
        }
        return try receiveReplayed()
    }

    /// Of libavcodec, which is given the tape unit by unit.
    private func receiveReplayed() throws(CodecError) -> VideoFrame? {
        while rung == .software {
            if let frame = try software?.receive() { return frame }
            let isPlayed = try tape.play { (unit, bytes) throws(CodecError) -> Bool in
                do throws(CodecError) {
                    try software?.send(unit, bytes)
                } catch {
                    // One that it makes nothing of does not keep it from the next.
                    guard error.isOfData else { throw error }
                }
                return true
            }
            if isPlayed { continue }
            if wantsEnd, !hasSentEnd {
                hasSentEnd = true
                try software?.drain()
                continue
            }
            // What follows comes as it always does.
            tape.release()
            return nil
        }
        return nil
    }

    private func isRepeated(_ pts: Int64) -> Bool {
        guard repeats > 0 else { return false }
        repeats -= 1
        if let lastPTS, pts <= lastPTS { return true }
        repeats = 0
        return false
    }

    /// Waits until a device has done something, but no longer than `span`. Pictures may be there then.
    public func wait(atMost span: Nanoseconds) throws(CodecError) {
        do throws(DecoderFault) {
            try play()
            try hardware?.advance(atMost: span)
        } catch {
            try fall(error)
        }
    }

    // MARK: From one to the next

    private func fall(_ fault: DecoderFault) throws(CodecError) {
        leave(fault)
        tape.rewind()
        hasSentEnd = false
        repeats = lastPTS == nil ? 0 : tape.count
        awaitsPoint = tape.isEmpty
        do throws(CodecError) {
            try open()
        } catch {
            tape.release()
            awaitsPoint = true
            throw error
        }
    }

    private func leave(_ fault: DecoderFault) {
        hardware?.close()
        hardware = nil
        provingSince = nil
        rung = .none
        ladder.deviceFailed(fault)
    }

    /// At a unit that may say how large pictures are.
    private func open(_ unit: AccessUnit, _ bytes: UnsafeRawBufferPointer) throws(CodecError) {
        guard rung == .none, let codec else { return }
        if case .findDevice = ladder.step, unit.isRandomAccess { announced = Self.read(codec, bytes) ?? announced }
        try open()
    }

    /// Nil: it does not say, or nobody here could read it.
    private static func read(_ codec: Codec, _ bytes: UnsafeRawBufferPointer) -> Announcement? {
        do throws(CodecError) {
            let probe = try PictureSizeProbe(codec)
            var input = try InputPacket()
            try input.fill(bytes)
            guard let (width, height) = probe.size(of: input.pointer) else { return nil }
            return Announcement(size: DecoderNeed.Size(width: width, height: height), level: probe.level)
        } catch {
            return nil
        }
    }

    private func open() throws(CodecError) {
        guard rung == .none, let codec else { return }
        while true {
            switch ladder.step {
            case .findDevice(let excluded):
                place = nil
                guard let coding = VideoCoding(codec) else {
                    ladder.noDeviceFound("hardware: no device")
                    continue
                }
                switch desk.place(for: DecoderNeed(coding, size: announced.size), excluding: excluded) {
                case .success(let found):
                    place = found
                    ladder.deviceFound(found.path)
                case .failure(let refusal): ladder.noDeviceFound(refusal.description)
                }
            case .open(let attempt):
                do throws(DecoderFault) {
                    try open(attempt, codec)
                    return
                } catch {
                    ladder.deviceFailed(error)
                }
            case .software:
                place = nil
                software = try VideoDecoder(codec, threads: threads)
                softwareThreads = threads
                software?.skip = skip
                return report(.software)
            case .nothing:
                report(.none)
                throw .noDecoder(ladder.reason ?? codec.rawValue)
            }
        }
    }

    private func open(_ attempt: DecodingLadder.Attempt, _ codec: Codec) throws(DecoderFault) {
        guard let coding = VideoCoding(codec) else { throw .noDevice(FourCC(rawValue: 0)) }
        var terms = attempt.isFrugal ? DecoderTerms.few : DecoderTerms()
        terms.size = announced.size
        terms.mostInVain = ReorderBound.units(of: coding, size: announced.size, level: announced.level)
        if attempt.isSecond { terms.patience = DecoderTerms.secondPatience }
        hardware = try desk.open(attempt.device, decoding: coding, terms)
        report(.device(attempt.device))
    }

    private func report(_ rung: Rung) {
        self.rung = rung
        opened(Opening(rung: rung, reason: ladder.reason, detail: ladder.detail))
    }
}
