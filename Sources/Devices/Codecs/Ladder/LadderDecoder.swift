// SPDX-License-Identifier: Apache-2.0
import Media
import Time

/// Decodes a stream's units by the best decoder that can: a device, otherwise libavcodec. When one fails, the next
/// starts again at the last random-access point and drops what has been shown, so that viewers only see a picture stand
/// still.
///
/// Between two calls of `send`, call `receive` until it returns nil. A device gives pictures when they are done, not
/// when asked: while `isBusy`, call `wait` and `receive`.
/// - Thread: one, which owns it. Frames may be released on any thread, also after the decoder.
public final class LadderDecoder {
    public enum Tier: Hashable, Sendable {
        case none, software
        /// Path of the device.
        case device(String)
    }

    /// Reports that a decoder has been opened, or that there is none.
    public struct Opening: Hashable, Sendable {
        public let tier: Tier
        /// Why no better decoder is used, such as `hardware: no device`; nil if this is the best one.
        public let reason: String?
        public let detail: String?
    }

    /// How long after its last activity a device is still polled for pictures.
    private static let afterglow = Nanoseconds.milliseconds(100)

    /// 90 kHz ticks of the stream that a device must decode without failing before its earlier failures are forgotten.
    private static let probation: Int64 = 60 * 90_000

    /// Skip level for libavcodec; may be changed between any two units.
    public var skip = VideoDecoder.SkipLevel.none { didSet { software?.skip = skip } }
    /// Whether libavcodec outputs pictures that are wrong because decoding did not begin at a random-access point; may be
    /// changed between any two units.
    public var showsAll = false { didSet { software?.showsAll = showsAll } }
    /// Number of threads for the next libavcodec decoder.
    public var threads = 1
    /// Whether libavcodec decodes with another number of threads than `threads`, so that it should be reopened.
    public var isOutdated: Bool { hardware == nil && software != nil && softwareThreads != threads }
    public private(set) var tier = Tier.none

    private let pool: DecoderPool
    private let choice: DecodingLadder.Choice
    private let hung: Set<String>
    private let opens: (String) -> Void
    private let opened: (Opening) -> Void
    private var codec: Codec?
    private var ladder: DecodingLadder
    /// What the stream announced.
    private var announced = Announcement()
    private var place: DecoderPlace?
    private var software: VideoDecoder?
    private var softwareThreads = 0
    private var hardware: (any DeviceDecoder)?
    private var replay = ReplayBuffer()
    /// No unit follows those in the replay buffer.
    private var wantsEnd = false
    private var hasSentEnd = false
    /// Units are dropped up to the next random-access point, because they cannot be decoded.
    private var awaitsPoint = false
    /// Time of the picture delivered last.
    private var lastPTS: Int64?
    /// Number of pictures that may come a second time.
    private var repeats = 0
    /// Time of the first picture that the device gave since it was opened or flushed.
    private var provingSince: Int64?

    private struct Announcement {
        var size: DecoderNeed.Size?
        var level: Int?
    }

    /// - Parameters:
    ///   - hung: paths of devices that are not used, because they hung before.
    ///   - opens: called with the path of a device before it is opened.
    ///   - opened: called by the method that opens a decoder.
    public init(
        _ pool: DecoderPool, _ choice: DecodingLadder.Choice = .auto, avoiding hung: Set<String> = [],
        opens: @escaping (String) -> Void = { _ in }, opened: @escaping (Opening) -> Void
    ) {
        self.pool = pool
        self.choice = choice
        self.hung = hung
        self.opens = opens
        self.opened = opened
        ladder = DecodingLadder(choice, hung: hung)
    }

    // MARK: State

    public var isOpen: Bool { tier != .none }
    /// Whether each unit is decoded before `receive` returns. A device takes time instead.
    public var isSynchronous: Bool { hardware == nil }
    /// Whether another unit may be sent.
    public var hasRoom: Bool { hardware == nil || replay.waiting == 0 }

    /// Whether pictures may come without another unit.
    public var isBusy: Bool {
        guard let hardware else { return false }
        return replay.waiting > 0 || hardware.isOwing(Self.afterglow)
    }

    /// Whether all that was sent before `drain` has come out.
    public var isDrained: Bool { hardware.map { hasSentEnd && $0.isDrained } ?? (replay.waiting == 0) }

    // MARK: Streams

    /// Starts a stream. All state is dropped, including which devices failed.
    public func begin(_ codec: Codec) {
        close()
        place = nil
        (self.codec, announced) = (codec, Announcement())
        let isInSoftware = VideoCoding(codec).map { VideoCoding.inSoftware.contains($0) } ?? true
        ladder = DecodingLadder(choice, isInSoftware: isInSoftware, hung: hung)
    }

    /// Closes the decoder. The next unit opens it again and should be a random-access point.
    public func close() {
        hardware?.close()
        hardware = nil
        software = nil
        tier = .none
        forget()
    }

    /// Gives up a decoder that failed in the judgement of a caller. Behind a device the next decoder starts at the last
    /// random-access point; libavcodec is closed.
    public func giveUp(_ fault: DecoderFault) throws(CodecError) {
        guard hardware != nil else { return close() }
        try fall(fault)
    }

    /// Drops all state; the next unit should be a random-access point.
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
        replay.clear()
        (wantsEnd, hasSentEnd, awaitsPoint, lastPTS, repeats) = (false, false, false, nil, 0)
        provingSince = nil
    }

    // MARK: Units in

    /// - Parameter bytes: copied.
    /// - Throws: libavcodec's errors; `noDecoder` if no permitted decoder can decode it.
    public func send(_ unit: AccessUnit, _ bytes: UnsafeRawBufferPointer) throws(CodecError) {
        if awaitsPoint {
            guard unit.isRandomAccess, !unit.isDamaged else { return }
            awaitsPoint = false
        }
        try open(unit, bytes)
        guard hardware != nil || !replay.isEmpty else {
            try software?.send(unit, bytes)
            return
        }
        (wantsEnd, hasSentEnd) = (false, false)
        replay.append(unit, bytes)
        do throws(DecoderFault) {
            try play()
        } catch {
            try fall(error)
        }
    }

    /// Ends the stream: `receive` returns the pictures still inside; call `wait` while not `isDrained`. Call `flush`
    /// before the next unit.
    public func drain() throws(CodecError) {
        guard hardware != nil || !replay.isEmpty else {
            try software?.drain()
            return
        }
        wantsEnd = true
    }

    /// Decodes a random-access unit alone and at once, as in `VideoDecoder`; nil unless `isSynchronous`.
    public func firstPicture(
        of unit: AccessUnit, _ bytes: UnsafeRawBufferPointer
    ) throws(CodecError) -> VideoFrame? {
        try open(unit, bytes)
        guard isSynchronous, replay.isEmpty else { return nil }
        return try software?.firstPicture(of: unit, bytes)
    }

    /// Gives a device as many units as it has room for.
    private func play() throws(DecoderFault) {
        guard let hardware else { return }
        while try replay.play({ (unit, bytes) throws(DecoderFault) -> Bool in try hardware.offer(bytes, of: unit) }) {}
        guard wantsEnd, !hasSentEnd, replay.waiting == 0 else { return }
        try hardware.drain()
        hasSentEnd = true
    }

    // MARK: Pictures out

    /// The next picture in presentation order; nil if there is none now.
    public func receive() throws(CodecError) -> VideoFrame? {
        if hardware == nil, replay.isEmpty { return try software?.receive() }
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
        replay.pictureDelivered(pts: pts)
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

    /// Receives from libavcodec, which is given the replay buffer's units one by one.
    private func receiveReplayed() throws(CodecError) -> VideoFrame? {
        while tier == .software {
            if let frame = try software?.receive() { return frame }
            let isPlayed = try replay.play { (unit, bytes) throws(CodecError) -> Bool in
                do throws(CodecError) {
                    try software?.send(unit, bytes)
                } catch {
                    // A unit that cannot be decoded must not prevent the next.
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
            // Units after the replay buffer take the usual way.
            replay.release()
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

    /// Waits until a device has done something, at most for `span`. Afterwards pictures may be available.
    public func wait(atMost span: Nanoseconds) throws(CodecError) {
        do throws(DecoderFault) {
            try play()
            try hardware?.advance(atMost: span)
        } catch {
            try fall(error)
        }
    }

    // MARK: Fallback

    private func fall(_ fault: DecoderFault) throws(CodecError) {
        leave(fault)
        replay.rewind()
        hasSentEnd = false
        repeats = lastPTS == nil ? 0 : replay.count
        awaitsPoint = replay.isEmpty
        do throws(CodecError) {
            try open()
        } catch {
            replay.release()
            awaitsPoint = true
            throw error
        }
    }

    private func leave(_ fault: DecoderFault) {
        hardware?.close()
        hardware = nil
        provingSince = nil
        tier = .none
        ladder.deviceFailed(fault)
    }

    /// Opens a decoder at a unit that may announce the picture size.
    private func open(_ unit: AccessUnit, _ bytes: UnsafeRawBufferPointer) throws(CodecError) {
        guard tier == .none, let codec else { return }
        if case .findDevice = ladder.step, unit.isRandomAccess { announced = Self.read(codec, bytes) ?? announced }
        try open()
    }

    /// nil if the unit announces no size, or this libavcodec cannot parse it.
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
        guard tier == .none, let codec else { return }
        while true {
            switch ladder.step {
            case .findDevice(let excluded):
                place = nil
                guard let coding = VideoCoding(codec) else {
                    ladder.noDeviceFound("hardware: no device")
                    continue
                }
                switch pool.place(for: DecoderNeed(coding, size: announced.size), excluding: excluded) {
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
                software?.showsAll = showsAll
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
        opens(attempt.device)
        hardware = try pool.open(attempt.device, decoding: coding, terms)
        report(.device(attempt.device))
    }

    private func report(_ tier: Tier) {
        self.tier = tier
        opened(Opening(tier: tier, reason: ladder.reason, detail: ladder.detail))
    }
}
