// SPDX-License-Identifier: Apache-2.0
import Bytes

/// Writes a transport stream of one program: pictures, sound, or both.
///
/// It writes whole packets. The caller gives the clock: ticks of 27 MHz on the time base of the time stamps (which are
/// ticks of 90 kHz), never ahead of them. Tables and PCRs are written when due, so call `writeDue` or write a unit at
/// least every 10 ms of that clock.
public struct TSMultiplexer: Sendable {
    public struct Layout: Sendable, Equatable {
        public var transportStreamID: UInt16 = 1
        public var originalNetworkID: UInt16 = 0xFF01  // the first value for private use
        public var programNumber: UInt16 = 1
        public var mapPID: UInt16 = 0x1000
        /// Also carries the PCR. Nil if there is no video.
        public var videoPID: UInt16? = 0x100
        public var audioPID: UInt16? = 0x101
        public var videoCodec = StreamCodec.h264
        public var audioCodec = StreamCodec.adts
        /// Number of channels of Opus, 1...8; 0 for other codecs.
        public var audioChannels = 0
        public var audioLanguage: String?
        /// Whether PCRs are written. A stream without PCRs is timed by its time stamps.
        public var hasClock = true
        public var provider: String
        public var name: String

        public init(provider: String, name: String) {
            self.provider = provider
            self.name = name
        }
    }

    /// Nominal intervals in ticks of 27 MHz. ISO/IEC 13818-1 and TR 101 290 allow 100 ms for PAT and PMT, 2 s for SDT
    /// and 40 ms for PCR; the difference allows for the time between the caller's calls.
    private enum Interval {
        static let tables: Int64 = 27_000 * 60
        static let description: Int64 = 27_000 * 1_500
        static let clock: Int64 = 27_000 * 30
    }

    private let layout: Layout
    /// The delimiter that is written before a picture without.
    private let delimiter: [UInt8]
    /// PID that carries the PCR; nil if none is written.
    private let clockPID: UInt16?
    private let association: [UInt8]
    private let map: [UInt8]
    private let description: [UInt8]
    /// continuity_counter of the next payload, by PID.
    private var counters: [UInt16: UInt8] = [:]
    private var tablesWritten: Int64?
    private var descriptionWritten: Int64?
    private var clockWritten: Int64?
    /// The octets before a unit's own: PES header, and a delimiter or the control header of Opus.
    private var head = WireWriter(reserving: 288)

    public init(_ layout: Layout) {
        self.layout = layout
        clockPID = layout.hasClock ? layout.videoPID ?? layout.audioPID : nil
        delimiter = layout.videoCodec.delimiter
        let video = layout.videoPID.map { ElementaryStream(writing: layout.videoCodec, pid: $0) }
        let audio = layout.audioPID.map { pid in
            ElementaryStream(
                writing: layout.audioCodec, pid: pid, language: layout.audioLanguage, channels: layout.audioChannels)
        }
        let streams = [video, audio].compactMap { $0 }
        association = PAT(
            transportStreamID: layout.transportStreamID,
            programs: [PAT.Program(number: layout.programNumber, mapPID: layout.mapPID)]
        ).section(version: 0)
        map = PMT(programNumber: layout.programNumber, pcrPID: clockPID, streams: streams).section(version: 0)
        description = SDT(
            transportStreamID: layout.transportStreamID, originalNetworkID: layout.originalNetworkID,
            services: [SDT.Service(id: layout.programNumber, type: 1, provider: layout.provider, name: layout.name)]
        ).section(version: 0)
    }

    /// Writes one coded picture, with an access unit delimiter before it if it has none. Tables are written before a
    /// random-access unit, so that a receiver that joins there need not wait for them.
    /// - Precondition: the layout has video.
    /// - Parameters:
    ///   - unit: the picture in annex B form, or of MPEG video with the headers before it.
    ///   - isBroken: whether octets of the picture or pictures before it are missing. A continuity_counter is skipped
    ///     after its first packet; a unit of a single packet cannot show that.
    public mutating func writeVideo(
        _ unit: UnsafeRawBufferPointer, pts: Int64, dts: Int64? = nil, isRandomAccess: Bool, isBroken: Bool = false,
        clock: Int64, to out: inout WireWriter
    ) {
        guard let pid = layout.videoPID else { preconditionFailure("video written to a program without") }
        if isRandomAccess { writeTables(clock: clock, to: &out) }
        writeTablesIfDue(clock: clock, to: &out)
        let missing = isDelimited(unit) ? [] : delimiter
        head.removeAll()
        PESHeader.write(streamID: 0xE0, pts: pts, dts: dts, dataCount: missing.count + unit.count, to: &head)
        head.write(contentsOf: missing)
        clockWritten = clock
        writeUnit(
            unit, pid: pid, isRandomAccess: isRandomAccess, isBroken: isBroken, pcr: clockPID == pid ? clock : nil,
            to: &out)
    }

    /// Writes whole frames as one unit, of Opus one packet.
    /// - Precondition: the layout has audio; at most 64 000 octets.
    public mutating func writeAudio(
        _ frames: UnsafeRawBufferPointer, pts: Int64, clock: Int64, to out: inout WireWriter
    ) {
        guard let pid = layout.audioPID else { preconditionFailure("audio written to a program without") }
        writeDue(clock: clock, to: &out)
        head.removeAll()
        let codec = layout.audioCodec
        let front = codec == .opus ? OpusUnits.headOctets(ofPacket: frames.count) : 0
        PESHeader.write(
            streamID: codec.streamID, pts: pts, dts: nil, dataCount: front + frames.count, to: &head)
        if codec == .opus { OpusUnits.writeHead(ofPacket: frames.count, to: &head) }
        writeUnit(frames, pid: pid, isRandomAccess: true, isBroken: false, pcr: nil, to: &out)
    }

    /// Writes the tables that are due, and a packet with a PCR if that is due.
    public mutating func writeDue(clock: Int64, to out: inout WireWriter) {
        writeTablesIfDue(clock: clock, to: &out)
        if TSMultiplexer.isDue(clockWritten, every: Interval.clock, at: clock) { writeClock(clock, to: &out) }
    }

    /// Writes a packet with only a PCR; does nothing without a PCR PID.
    public mutating func writeClock(_ clock: Int64, to out: inout WireWriter) {
        guard let pid = clockPID else { return }
        clockWritten = clock
        let counter = (counters[pid] ?? 0) &- 1  // that of the last payload; this packet has none
        let packet = TSPacketWriter(pid: pid, counter: counter, pcr: TSMultiplexer.wrapped(clock))
        _ = packet.write(available: 0, to: &out)
    }

    private mutating func writeTablesIfDue(clock: Int64, to out: inout WireWriter) {
        if TSMultiplexer.isDue(tablesWritten, every: Interval.tables, at: clock) { writeTables(clock: clock, to: &out) }
        guard TSMultiplexer.isDue(descriptionWritten, every: Interval.description, at: clock) else { return }
        writeSection(description, pid: PID.serviceDescription, to: &out)
        descriptionWritten = clock
    }

    private mutating func writeTables(clock: Int64, to out: inout WireWriter) {
        writeSection(association, pid: PID.programAssociation, to: &out)
        writeSection(map, pid: layout.mapPID, to: &out)
        tablesWritten = clock
    }

    private mutating func writeSection(_ section: [UInt8], pid: UInt16, to out: inout WireWriter) {
        var rest = section[...]
        var isFirst = true
        while !rest.isEmpty {
            let packet = TSPacketWriter(pid: pid, startsUnit: isFirst, counter: nextCounter(pid))
            var room = packet.write(available: TSPacketWriter.capacity, to: &out)
            if isFirst {
                out.write(UInt8(0))  // pointer_field
                room -= 1
            }
            isFirst = false
            out.write(contentsOf: rest.prefix(room))
            out.write(repeating: 0xFF, count: room - rest.count)
            rest = rest.dropFirst(room)
        }
    }

    /// Writes `head` and then `data` as packets.
    private mutating func writeUnit(
        _ data: UnsafeRawBufferPointer, pid: UInt16, isRandomAccess: Bool, isBroken: Bool, pcr: Int64?,
        to out: inout WireWriter
    ) {
        let front = head.bytes
        let total = front.count + data.count
        var offset = 0
        while offset < total {
            let isFirst = offset == 0
            let packet = TSPacketWriter(
                pid: pid, startsUnit: isFirst, counter: nextCounter(pid), isRandomAccess: isFirst && isRandomAccess,
                pcr: isFirst ? pcr.map(TSMultiplexer.wrapped) : nil)
            let end = offset + packet.write(available: total - offset, to: &out)
            if offset < front.count { out.write(contentsOf: front[offset..<min(end, front.count)]) }
            let start = max(offset, front.count) - front.count
            if end > front.count {
                out.write(contentsOf: UnsafeRawBufferPointer(rebasing: data[start..<end - front.count]))
            }
            if isFirst, isBroken { _ = nextCounter(pid) }
            offset = end
        }
    }

    /// Whether a picture begins with its delimiter.
    private func isDelimited(_ unit: UnsafeRawBufferPointer) -> Bool {
        let place = StartCode.offset(in: unit, from: 0) + 3
        guard place < unit.count, let own = delimiter.dropFirst(4).first else { return false }
        return layout.videoCodec == .h264 ? unit[place] & 0x1F == own & 0x1F : unit[place] & 0x7E == own & 0x7E
    }

    private mutating func nextCounter(_ pid: UInt16) -> UInt8 {
        let counter = counters[pid, default: 0] & 0xF
        counters[pid] = counter &+ 1
        return counter
    }

    /// Whether it is due; everything is due when the clock has gone back.
    private static func isDue(_ last: Int64?, every interval: Int64, at clock: Int64) -> Bool {
        guard let last else { return true }
        return clock < last || clock &- last >= interval
    }

    private static func wrapped(_ clock: Int64) -> UInt64 {
        let period: Int64 = 300 << 33
        let remainder = clock % period
        return UInt64(remainder < 0 ? remainder + period : remainder)
    }
}
