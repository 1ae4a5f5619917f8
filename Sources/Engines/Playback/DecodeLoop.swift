// SPDX-License-Identifier: Apache-2.0
import Buffers
import Codecs
import Media
import System
import Time
import Timelines
import TransportStream

/// The decode thread's own state: history → access units → pictures with their due time. Made and used there only.
final class DecodeLoop: AccessUnitSink {
    /// How long it sleeps at most before it looks at `stopping` again.
    private static let nap = Nanoseconds.milliseconds(100)
    /// 90 kHz ticks from one unit to the next of an unbroken stream, at most: what the clock takes for no jump.
    private static let longestStep = TickRate.mpeg.ticks(PlayoutClock.jump)
    /// A picture due later than D by more than this has a senseless time stamp.
    private static let farthest = Nanoseconds.seconds(2)

    private let session: PlaybackSession
    private var demultiplexer = TSDemultiplexer()
    private var clock: PlayoutClock
    private var unwrapper = TimestampUnwrapper(bits: 33)
    private var decoder: VideoDecoder?
    private var videoStream: ElementaryStream?
    private var audioUnwrapper = TimestampUnwrapper(bits: 33)
    private var counters = PlaybackCounters()
    /// A random-access point has been decoded since the stream began or broke.
    private var isStarted = false
    private var lastTime: (pts: Int64, dts: Int64)?
    /// Of the record being taken apart: that of a unit is the arrival of the octet that completes it.
    private var arrival = Monotonic(nanoseconds: 0)

    init(_ session: PlaybackSession) {
        self.session = session
        clock = PlayoutClock(delay: session.delay)
    }

    func run() {
        let history = session.history
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: history.largestRecord, alignment: 64)
        defer { buffer.deallocate() }
        var cursor = history.oldest
        while !session.stopping.isRaised {
            switch history.read(&cursor, into: buffer) {
            case .record(let record):
                take(UnsafeRawBufferPointer(rebasing: buffer[..<record.octets]), at: record.arrival)
            case .atLive:
                session.counters.set(counters)
                session.arrived.wait(until: SystemClock.monotonic() + Self.nap)
            case .overrun(let oldest):
                counters.historyOverruns += 1
                cursor = oldest
            case .reset:
                cursor = history.live
            }
        }
        session.counters.set(counters)
    }

    private func take(_ bytes: UnsafeRawBufferPointer, at arrival: Monotonic) {
        self.arrival = arrival
        var sink = self
        demultiplexer.push(datagram: bytes, to: &sink)
    }

    // MARK: AccessUnitSink

    func programChanged(_ program: Program?) {
        if program?.video != videoStream {
            if videoStream != nil { counters.programChanges += 1 }
            videoStream = program?.video
            decoder = nil
            isStarted = false
            clock.reset()
        }
        if let program {
            counters.unsupportedStreams += Int64(program.unsupported.count)
            for stream in program.unsupported {
                session.report(
                    .streamUnsupported(session: session.id, what: "\(stream.codec) on PID \(stream.pid)"))
            }
        }
    }

    func audioUnit(_ unit: PESUnit, in bytes: UnsafeRawBufferPointer) {
        guard isStarted else { return }
        counters.audioUnits += 1
        counters.audioOctets += Int64(bytes.count)
        let pts = unit.pts.map { audioUnwrapper.unwrap($0) } ?? 0
        session.sound.put(
            AudioUnit(
                codec: .aac, stream: 0, pts: pts, offset: .zero, epoch: 0, isDamaged: unit.isDamaged), bytes)
    }

    func videoUnit(_ unit: PESUnit, in bytes: UnsafeRawBufferPointer) {
        counters.videoUnits += 1
        if unit.isDamaged { counters.damagedVideoUnits += 1 }
        let before = lastTime?.dts
        guard let time = time(of: unit) else {
            counters.unitsWithoutTime += 1
            return
        }
        if clock.unitArrived(dts: time.dts, at: arrival) == .jumped { timeJumped(from: before, to: time.dts) }
        let access = AccessUnit(
            pts: time.pts, dts: time.dts, isRandomAccess: unit.isRandomAccess, isDamaged: unit.isDamaged)
        guard isStarted || access.isRandomAccess && !access.isDamaged else {
            counters.unitsSkipped += 1
            return
        }
        do throws(CodecError) {
            try decode(access, bytes)
        } catch {
            counters.decodeErrors += 1
        }
    }

    /// Time stamps and arrivals went apart. When the stamps go on, the network stalled, and every picture is still there;
    /// else what follows may not refer to pictures of before: begin again at the next random-access point.
    private func timeJumped(from before: Int64?, to dts: Int64) {
        if let before, (0...Self.longestStep).contains(dts - before) {
            counters.arrivalStalls += 1
        } else {
            counters.timestampJumps += 1
            isStarted = false
        }
    }

    /// A second picture of one PES packet has no time of its own: it follows right behind the first.
    private func time(of unit: PESUnit) -> (pts: Int64, dts: Int64)? {
        if let dts = unit.dts ?? unit.pts, let pts = unit.pts {
            let unwrapped = unwrapper.unwrap(dts)
            lastTime = (unwrapper.nearest(pts), unwrapped)
        } else if let last = lastTime {
            lastTime = (last.pts + 1, last.dts + 1)
        }
        return lastTime
    }

    // MARK: Decoding

    private func decode(_ unit: AccessUnit, _ bytes: UnsafeRawBufferPointer) throws(CodecError) {
        if decoder == nil {
            decoder = try VideoDecoder(.h264)
            counters.decoderStarts += 1
        }
        if !isStarted { try begin(with: unit, bytes) }
        counters.videoOctets += Int64(bytes.count)
        try decoder?.send(unit, bytes)
        while let frame = try decoder?.receive() {
            counters.framesDecoded += 1
            if frame.isDamaged { counters.damagedFrames += 1 }
            let now = SystemClock.monotonic()
            let due = clock.due(pts: frame.pts) ?? now
            put(frame, due: min(due, now + clock.delay + Self.farthest))
        }
    }

    /// The first picture after a join or a break is shown at once, alone; the others follow at arrival + D.
    private func begin(with unit: AccessUnit, _ bytes: UnsafeRawBufferPointer) throws(CodecError) {
        if let frame = try decoder?.firstPicture(of: unit, bytes), !frame.isDamaged {
            put(frame, due: SystemClock.monotonic())
        }
        isStarted = true
    }

    /// Waits for room: what is not decoded yet is safe in the history.
    private func put(_ frame: consuming VideoFrame, due: Monotonic) {
        while session.frames.isFull {
            if session.stopping.isRaised { return }
            session.counters.set(counters)
            session.frames.waitForRoom(until: SystemClock.monotonic() + Self.nap)
        }
        session.frames.put(TimedFrame(frame: frame, due: due))
    }
}
