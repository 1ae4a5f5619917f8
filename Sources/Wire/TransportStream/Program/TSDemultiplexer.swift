// SPDX-License-Identifier: Apache-2.0
import Bytes

/// Takes one program apart into units of video and audio, and follows it when its map changes.
///
/// Allocates nothing per packet once its buffers have grown to the greatest unit.
public struct TSDemultiplexer: Sendable {
    private var follower: ProgramFollower
    private var continuity = ContinuityTable()
    private var video: PESAssembler
    private var audio: PESAssembler
    private var videoPID = PID.null
    private var audioPID = PID.null
    /// Whether a sequence parameter set came since the program began: an IDR is of no use before.
    private var hasParameters = false
    private var hadProgram = false
    private var counted = TSCounters()
    @usableFromInline var framer = TSFramer()

    /// - Parameter program: its number; nil for the first.
    /// - Parameter videoLimit: octets of the longest picture kept.
    public init(program: UInt16? = nil, videoLimit: Int = 4 << 20) {
        follower = ProgramFollower(program: program)
        video = PESAssembler(limit: videoLimit)
        audio = PESAssembler(limit: 256 << 10)  // four PES packets of the greatest announced length
    }

    public var program: Program? { follower.program }
    public var service: SDT.Service? { follower.service }

    public var counters: TSCounters {
        var result = counted
        result.crcErrors = follower.crcErrors
        result.malformedSections = follower.malformedSections
        result.malformedDatagrams = framer.malformedDatagrams
        result.resyncs = framer.resyncs
        result.skippedBytes = framer.skippedBytes
        result.oversizedUnits = video.oversizedUnits &+ audio.oversizedUnits
        result.damagedUnits = video.damagedUnits &+ audio.damagedUnits
        result.malformedPES = video.malformedUnits &+ audio.malformedUnits
        return result
    }

    /// Takes all packets of a datagram's payload.
    @inlinable
    public mutating func push(datagram bytes: UnsafeRawBufferPointer, to sink: inout some AccessUnitSink) {
        var finder = framer
        finder.forEachPacket(in: bytes) { offset in push(packetAt: offset, in: bytes, to: &sink) }
        framer = finder
    }

    /// Takes one packet, counted as malformed when it is none.
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

    /// - Parameter bytes: those that the packet was read from.
    @inlinable
    public mutating func push(_ packet: TSPacket, in bytes: UnsafeRawBufferPointer, to sink: inout some AccessUnitSink)
    {
        switch route(packet, in: bytes) {
        case .nowhere: return
        case .program:
            // A change that leaves a stream where it was does not cut the unit that it is in.
            if videoMoves { flushVideo { unit, data in sink.videoUnit(unit, in: data) } }
            if audioMoves { flushAudio { unit, data in sink.audioUnit(unit, in: data) } }
            followProgram()
            sink.programChanged(program)
        case .video(let lost):
            pushVideo(packet, in: bytes, lost: lost) { unit, data in sink.videoUnit(unit, in: data) }
        case .audio(let lost):
            pushAudio(packet, in: bytes, lost: lost) { unit, data in sink.audioUnit(unit, in: data) }
        }
    }

    /// Delivers the units begun: the stream has ended.
    @inlinable
    public mutating func flush(to sink: inout some AccessUnitSink) {
        flushVideo { unit, data in sink.videoUnit(unit, in: data) }
        flushAudio { unit, data in sink.audioUnit(unit, in: data) }
    }

    @usableFromInline
    enum Route {
        case nowhere
        /// It completed a table that makes the program another one.
        case program
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
        switch verdict {
        case .inOrder: break
        case .duplicate:
            counted.duplicates &+= 1
            return .nowhere
        case .gap: counted.continuityErrors &+= 1
        case .signalledDiscontinuity: counted.signalledDiscontinuities &+= 1
        }
        guard !packet.isScrambled else {
            counted.scrambledPackets &+= 1
            return .nowhere
        }
        // An announced jump at the start of a unit is a splice: the unit before is whole.
        let lost = verdict == .gap || verdict == .signalledDiscontinuity && !packet.startsUnit
        switch packet.pid {
        case PID.null: return .nowhere
        case videoPID: return .video(lost: lost)
        case audioPID: return .audio(lost: lost)
        default: return follower.push(packet, in: bytes) ? .program : .nowhere
        }
    }

    @usableFromInline
    mutating func countMalformedPacket() {
        counted.packets &+= 1
        counted.malformedPackets &+= 1
    }

    @usableFromInline var videoMoves: Bool { videoPID != program?.video?.pid ?? PID.null }
    @usableFromInline var audioMoves: Bool { audioPID != program?.audio?.pid ?? PID.null }

    /// Directs the units to the program as it is now; those of streams that move were flushed.
    @usableFromInline
    mutating func followProgram() {
        if hadProgram { counted.programChanges &+= 1 }
        hadProgram = true
        if videoMoves { hasParameters = false }
        videoPID = program?.video?.pid ?? PID.null
        audioPID = program?.audio?.pid ?? PID.null
    }

    @usableFromInline
    mutating func pushVideo(
        _ packet: TSPacket, in bytes: UnsafeRawBufferPointer, lost: Bool,
        emit: (PESUnit, UnsafeRawBufferPointer) -> Void
    ) {
        var parameters = hasParameters
        video.push(packet, in: bytes, lost: lost) { unit, data in
            TSDemultiplexer.divide(unit, data, hasParameters: &parameters, emit: emit)
        }
        hasParameters = parameters
    }

    @usableFromInline
    mutating func flushVideo(emit: (PESUnit, UnsafeRawBufferPointer) -> Void) {
        var parameters = hasParameters
        video.flush { unit, data in TSDemultiplexer.divide(unit, data, hasParameters: &parameters, emit: emit) }
        hasParameters = parameters
    }

    @usableFromInline
    mutating func pushAudio(
        _ packet: TSPacket, in bytes: UnsafeRawBufferPointer, lost: Bool,
        emit: (PESUnit, UnsafeRawBufferPointer) -> Void
    ) {
        audio.push(packet, in: bytes, lost: lost, emit: emit)
    }

    @usableFromInline
    mutating func flushAudio(emit: (PESUnit, UnsafeRawBufferPointer) -> Void) { audio.flush(emit: emit) }

    /// One PES packet into pictures: the time stamps are those of the first (ISO/IEC 13818-1 2.4.3.7).
    private static func divide(
        _ unit: PESUnit, _ data: UnsafeRawBufferPointer, hasParameters: inout Bool,
        emit: (PESUnit, UnsafeRawBufferPointer) -> Void
    ) {
        var picture = unit
        for range in H264AccessUnits(data) {
            let bytes = UnsafeRawBufferPointer(rebasing: data[range])
            let content = H264AccessUnit.inspect(bytes)
            hasParameters = hasParameters || content.hasSPS
            picture.isRandomAccess = content.isRandomAccess && hasParameters
            emit(picture, bytes)
            picture.pts = nil
            picture.dts = nil
            picture.isDiscontinuity = false
        }
    }
}
