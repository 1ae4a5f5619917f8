// SPDX-License-Identifier: Apache-2.0
import Bytes
import Time
import Venue

/// Demultiplexes one program into units of video and audio, and follows it when its map changes.
///
/// It allocates nothing per packet once its buffers have grown to the longest unit.
public struct TSDemultiplexer: Sendable {
    /// Value that the units beginning from now on carry. Set it before each datagram to know in which datagram a unit
    /// began.
    public var mark: UInt64 = 0

    private var follower: ProgramFollower
    private var eventFollower = EventFollower()
    private var timeFollower = TimeFollower()
    private var continuity = ContinuityTable()
    private var video: PictureAssembler
    /// Used in place of `video` for a codec with one picture per PES packet.
    private var videoPackets: PESAssembler
    private var audio: PESAssembler
    private var videoStream: ElementaryStream?
    private var audioStream: ElementaryStream?
    @usableFromInline private(set) var videoPID = PID.null
    @usableFromInline private(set) var audioPID = PID.null
    /// Whether scrambled packets of the stream were dropped since the last clear one.
    private var videoIsBroken = false
    private var audioIsBroken = false
    private var hadProgram = false
    private var counted = TSCounters()
    @usableFromInline var framer = TSFramer()

    /// - Parameter program: nil for the first.
    /// - Parameter audioLanguage: ISO 639-2. If it is nil or no stream has it, the first stream is used.
    /// - Parameter videoLimit: octets of the longest picture kept; 4 MiB suffice for the largest picture of any level
    ///   up to 5.2.
    public init(program: ProgramChoice? = nil, audioLanguage: String? = nil, videoLimit: Int = 4 << 20) {
        follower = ProgramFollower(program: program, audioLanguage: audioLanguage)
        video = PictureAssembler(limit: videoLimit)
        videoPackets = PESAssembler(limit: videoLimit)
        audio = PESAssembler(limit: 256 << 10)  // four PES packets of the largest length
    }

    public var program: Program? { follower.program }
    /// The SDT's entry for the program; nil if there is none.
    public var service: SDT.Service? { follower.service }
    /// The numbers of all programs of the stream, in the order of its PAT, at most 1024.
    public var programs: [UInt16] { follower.programs }
    /// The SDT's entries for all services, at most 256.
    public var services: [SDT.Service] { follower.services }
    /// Counts the changes of `programs` and `services`.
    public var listings: Int { follower.listings }

    /// The present and following event of the program by the EIT; empty until that comes.
    public var events: PresentFollowing { eventFollower.events }

    /// UTC by the table that came last (TDT or TOT); nil before the first.
    public var utc: WallTime? { timeFollower.utc }

    public var counters: TSCounters {
        var result = counted
        result.crcErrors = follower.crcErrors &+ eventFollower.crcErrors
        result.malformedSections =
            follower.malformedSections &+ eventFollower.malformedSections &+ timeFollower.malformedSections
        result.refusedStreams = follower.refusedStreams
        result.malformedDatagrams = framer.malformedDatagrams
        result.resyncs = framer.resyncs
        result.skippedBytes = framer.skippedBytes
        result.malformedPES = videoPackets.counters.malformedContents
        result.malformedAudio = audio.counters.malformedContents
        for assembly in [video.counters, videoPackets.counters, audio.counters] {
            result.oversizedUnits &+= assembly.oversizedUnits
            result.damagedUnits &+= assembly.damagedUnits
            result.malformedPES &+= assembly.malformedUnits
            result.scrambledUnits &+= assembly.scrambledUnits
            result.disorderedTimes &+= assembly.disorderedTimes
        }
        return result
    }

    /// `counters` without a copy of the demultiplexer, which the property makes first if a class holds it.
    public mutating func readCounters() -> TSCounters { counters }

    /// Delivers another program or another audio language from now on. Incomplete units of streams that are left are
    /// delivered first. After a change of program, `program` is nil until its map comes.
    /// - Parameter program: nil for the first.
    /// - Parameter audioLanguage: as for `init`.
    @inlinable
    public mutating func choose(program: ProgramChoice?, audioLanguage: String?, to sink: inout some AccessUnitSink) {
        guard chooses(program: program, audioLanguage: audioLanguage) else { return }
        moveStreams(to: &sink)
        sink.programChanged(self.program)
        if followsOtherEvents() { sink.eventsChanged(events) }
    }

    /// Continues at another place of the same stream. It forgets incomplete units and continuity counters, and keeps
    /// the tables, the choice and `counters`.
    public mutating func restart() {
        continuity.reset()
        video.reset(videoStream?.codec ?? .h264)
        videoPackets.forget()
        audio.forget()
        videoIsBroken = false
        audioIsBroken = false
    }

    /// When nothing of the pictures has come for so long, while other packets have, the picture that came last is complete.
    public static let stillness = Nanoseconds.milliseconds(500)

    /// Likewise behind all that the PES packet of the picture has announced.
    public static let stillnessBehindEnd = Nanoseconds.milliseconds(100)

    /// How long nothing comes behind the picture that may be complete until it is.
    public var openPatience: Nanoseconds {
        video.isAtEnd ? TSDemultiplexer.stillnessBehindEnd : TSDemultiplexer.stillness
    }

    /// Octets of the picture that may be complete without anybody knowing; 0 if there is none.
    public var openOctets: Int { video.openOctets }

    /// Delivers the picture that came last, because nothing has come behind it for a while.
    @inlinable
    public mutating func completePicture(to sink: inout some AccessUnitSink) {
        completeVideo { unit, data in sink.videoUnit(unit, in: data) }
    }

    @usableFromInline
    mutating func completeVideo(emit: (PESUnit, UnsafeRawBufferPointer) -> Void) { video.complete(emit: emit) }

    /// Takes all packets in the payload of a datagram.
    @inlinable
    public mutating func push(datagram bytes: UnsafeRawBufferPointer, to sink: inout some AccessUnitSink) {
        var finder = framer
        finder.forEachPacket(in: bytes) { offset in push(packetAt: offset, in: bytes, to: &sink) }
        framer = finder
    }

    /// Takes the packet at `offset`; if it is invalid, it is counted as malformed.
    @inlinable
    public mutating func push(
        packetAt offset: Int, in bytes: UnsafeRawBufferPointer, to sink: inout some AccessUnitSink
    ) {
        do throws(WireError) {
            push(try TSPacket(bytes, at: offset), in: bytes, to: &sink)
        } catch {
            countMalformedPacket()
        }
    }

    /// - Parameter bytes: the bytes that the packet was read from.
    @inlinable
    public mutating func push(_ packet: TSPacket, in bytes: UnsafeRawBufferPointer, to sink: inout some AccessUnitSink)
    {
        if packet.startsUnit, let field = packet.adaptation, !field.descriptors.isEmpty {
            readTimelines(of: packet, field.descriptors, in: bytes) { sink.timelineTold($0) }
        }
        switch route(packet, in: bytes) {
        case .nowhere: return
        case .program: changeProgram(to: &sink)
        case .streams:
            changeProgram(to: &sink)
            guard !packet.isScrambled else { return }
            if packet.pid == videoPID {
                pushVideo(packet, in: bytes, lost: false) { unit, data in sink.videoUnit(unit, in: data) }
            } else if packet.pid == audioPID {
                pushAudio(packet, in: bytes, lost: false) { unit, data in sink.audioUnit(unit, in: data) }
            }
        case .events: sink.eventsChanged(events)
        case .time: if let utc { sink.timeTold(utc) }
        case .video(let lost):
            pushVideo(packet, in: bytes, lost: lost) { unit, data in sink.videoUnit(unit, in: data) }
        case .audio(let lost):
            pushAudio(packet, in: bytes, lost: lost) { unit, data in sink.audioUnit(unit, in: data) }
        }
    }

    @inlinable
    mutating func changeProgram(to sink: inout some AccessUnitSink) {
        countChange()
        moveStreams(to: &sink)
        sink.programChanged(program)
        if followsOtherEvents() { sink.eventsChanged(events) }
    }

    /// Delivers the incomplete units, because the stream has ended.
    @inlinable
    public mutating func flush(to sink: inout some AccessUnitSink) {
        flushVideo { unit, data in sink.videoUnit(unit, in: data) }
        flushAudio { unit, data in sink.audioUnit(unit, in: data) }
    }

    @usableFromInline
    enum Route {
        case nowhere
        /// The packet completed a table that changes the program.
        case program
        /// A unit begins with the packet by which other streams of the program are delivered from now on.
        case streams
        /// The packet completed a table that changes the present or following event.
        case events
        /// The packet completed a table with the time.
        case time
        case video(lost: Bool)
        case audio(lost: Bool)
    }

    @usableFromInline
    mutating func route(_ packet: TSPacket, in bytes: UnsafeRawBufferPointer) -> Route {
        counted.packets &+= 1
        guard !packet.hasTransportError else {
            counted.transportErrors &+= 1
            return .nowhere
        }
        let verdict = continuity.check(packet, in: bytes)
        if packet.startsUnit, verdict != .duplicate, follower.unitBegan(packet, in: bytes) { return .streams }
        switch verdict {
        case .inOrder: break
        case .duplicate:
            counted.duplicates &+= 1
            // Duplicates of tables pass: the PID may have become that of a map just now, and the section assembler
            // drops duplicates.
            guard packet.pid != videoPID, packet.pid != audioPID else { return .nowhere }
        case .gap: counted.continuityErrors &+= 1
        case .signalledDiscontinuity: counted.signalledDiscontinuities &+= 1
        }
        guard !packet.isScrambled else {
            counted.scrambledPackets &+= 1
            if packet.pid == videoPID { videoIsBroken = true }
            if packet.pid == audioPID { audioIsBroken = true }
            return .nowhere
        }
        // An announced jump at the start of a unit is a splice: the previous unit is complete.
        let lost = verdict == .gap || verdict == .signalledDiscontinuity && !packet.startsUnit
        switch packet.pid {
        case PID.null: return .nowhere
        case videoPID:
            defer { videoIsBroken = false }
            return .video(lost: lost || videoIsBroken)
        case audioPID:
            defer { audioIsBroken = false }
            return .audio(lost: lost || audioIsBroken)
        case PID.eventInformation where !follower.isTaken(packet.pid):
            return eventFollower.push(packet, in: bytes) ? .events : .nowhere
        case PID.time where !follower.isTaken(packet.pid):
            return timeFollower.push(packet, in: bytes) ? .time : .nowhere
        default: return follower.push(packet, in: bytes) ? .program : .nowhere
        }
    }

    /// The timelines of a packet, in which a PES packet with a time stamp begins.
    @usableFromInline
    mutating func readTimelines(
        of packet: TSPacket, _ place: Range<Int>, in bytes: UnsafeRawBufferPointer, tell: (TimelineMark) -> Void
    ) {
        guard !packet.hasTransportError, !packet.isScrambled,
            let stream = program?.streams.first(where: { $0.pid == packet.pid }),
            let componentTag = stream.componentTag
        else { return }
        var descriptors = Descriptors(WireReader(bytes, in: place))
        let isRead = descriptors.forEach { (tag, content) throws(WireError) in
            guard tag == TimelineDescriptor.tag else { return }
            let timeline = try TimelineDescriptor(from: &content)
            let header = try PESHeader(bytes, in: packet.payload)
            guard let timestamp = timeline.timestamp, let pts = header.pts else { return }
            tell(
                TimelineMark(
                    componentTag: componentTag, timelineID: timeline.timelineID, timestamp: timestamp,
                    isPaused: timeline.isPaused, pts: pts))
        }
        if !isRead { counted.malformedTimelines &+= 1 }
    }

    @usableFromInline
    mutating func countMalformedPacket() {
        counted.packets &+= 1
        counted.malformedPackets &+= 1
    }

    @usableFromInline
    mutating func countChange() {
        if hadProgram { counted.programChanges &+= 1 }
        hadProgram = true
    }

    @usableFromInline
    mutating func chooses(program: ProgramChoice?, audioLanguage: String?) -> Bool {
        follower.choose(program: program, audioLanguage: audioLanguage)
    }

    @usableFromInline
    mutating func followsOtherEvents() -> Bool { eventFollower.follow(program?.number) }

    /// Moves the delivery to the program's streams. A stream that stays is not interrupted.
    @inlinable
    mutating func moveStreams(to sink: inout some AccessUnitSink) {
        if videoMoves { flushVideo { unit, data in sink.videoUnit(unit, in: data) } }
        if audioMoves { flushAudio { unit, data in sink.audioUnit(unit, in: data) } }
        followProgram()
    }

    @usableFromInline var videoMoves: Bool {
        videoStream?.pid != program?.video?.pid || videoStream?.codec != program?.video?.codec
    }
    @usableFromInline var audioMoves: Bool {
        audioStream?.pid != program?.audio?.pid || audioStream?.codec != program?.audio?.codec
    }

    /// Follows the streams of the current program. Units of streams that move have been flushed.
    @usableFromInline
    mutating func followProgram() {
        if videoMoves {
            video.reset(program?.video?.codec ?? .h264)
            videoPackets.forget()
            videoIsBroken = false
        }
        if audioMoves {
            audio.forget()
            audioIsBroken = false
        }
        videoStream = program?.video
        audioStream = program?.audio
        videoPID = videoStream?.pid ?? PID.null
        audioPID = audioStream?.pid ?? PID.null
        videoPackets.content = PESContent(videoStream?.codec)
        audio.content = PESContent(audioStream?.codec)
    }

    @usableFromInline
    mutating func pushVideo(
        _ packet: TSPacket, in bytes: UnsafeRawBufferPointer, lost: Bool,
        emit: (PESUnit, UnsafeRawBufferPointer) -> Void
    ) {
        if videoStream?.codec == .fwht {
            videoPackets.push(packet, in: bytes, lost: lost, mark: mark, emit: emit)
        } else {
            video.push(packet, in: bytes, lost: lost, mark: mark, emit: emit)
        }
    }

    @usableFromInline
    mutating func flushVideo(emit: (PESUnit, UnsafeRawBufferPointer) -> Void) {
        if videoStream?.codec == .fwht { videoPackets.flush(emit: emit) } else { video.flush(emit: emit) }
    }

    @usableFromInline
    mutating func pushAudio(
        _ packet: TSPacket, in bytes: UnsafeRawBufferPointer, lost: Bool,
        emit: (PESUnit, UnsafeRawBufferPointer) -> Void
    ) { audio.push(packet, in: bytes, lost: lost, mark: mark, emit: emit) }

    @usableFromInline
    mutating func flushAudio(emit: (PESUnit, UnsafeRawBufferPointer) -> Void) { audio.flush(emit: emit) }
}
