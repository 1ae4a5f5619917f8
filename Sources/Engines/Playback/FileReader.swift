// SPDX-License-Identifier: Apache-2.0
import Bytes
import Containers
import Media
import Time
import Timelines

/// Reads the units of a media file. Its first picture is due shortly after opening; from then on its time stamps count.
final class FileReader: SessionReader {
    /// The time from opening the file, or from a seek, until the picture is due. Its references are decoded meanwhile.
    private static let preparation = Nanoseconds.milliseconds(250)

    private let sink: any SessionSink
    private var file: MediaFile
    // Copies of the file's properties, which must not be read while it delivers a packet.
    private var streams: [MediaFile.Stream] = []
    private var duration: Int64?
    private var videoIndex: Int?
    private var audioIndex: Int?
    private var audioStream = 0
    /// Media time of the newest picture read, in decoding order; nil after a jump.
    private var newest: Monotonic?
    private var isAtEnd = false
    /// Errors in a row. A damaged place costs the units that it holds; a file that cannot be read any more has ended.
    private var errors = 0
    private static let mostErrors = 100
    /// The earliest time stamp, which is position 0; nil until the first unit has been read.
    private var start: Int64?
    private var correlation = StreamCorrelation(offset: .zero)

    /// - Throws: if the file cannot be opened.
    init(opening path: String, into sink: any SessionSink) throws(ContainerError) {
        let opened = try MediaFile(opening: path, until: sink.stopping)
        self.sink = sink
        streams = opened.streams
        duration = opened.duration
        videoIndex = opened.streams.firstIndex { $0.codec.isVideo }
        audioIndex = opened.streams.firstIndex { !$0.codec.isVideo }
        file = opened
        sink.pictureStreamBegan(videoIndex.map { streams[$0].codec })
        sink.sourceReady(duration: duration.map { TickRate.mpeg.nanoseconds($0) })
        reportStreams()
    }

    // MARK: SessionReader

    func advance() throws(SourceFailure) -> ReaderProgress {
        guard !isAtEnd else { return .ended }
        let isWanted = newest.map { sink.isSoon($0) } ?? true
        guard isWanted, sink.hasRoomForPictures, sink.hasRoomForSound else { return .waiting }
        do throws(ContainerError) {
            isAtEnd = try !file.read { packet in take(packet) }
            errors = 0
        } catch {
            errors += 1
            sink.count { $0.readErrors += 1 }
            guard errors >= Self.mostErrors else { return .progressed }
            guard start != nil else { throw SourceFailure("\(error)") }
            isAtEnd = true
        }
        return .progressed
    }

    func seek(to target: SeekTarget, from head: PlaybackClockControl, at now: Monotonic) -> PlaybackClockMove {
        guard let start else { return .stay }
        let due = now + Self.preparation
        let wanted: Nanoseconds
        switch target {
        case .position(let position): wanted = position
        case .shifted(let step): wanted = head.mediaTime(at: due) - correlation.time(of: start) + step
        case .behindLive: return .stay
        }
        let end = duration ?? .max / 2
        let ticks = start + max(0, min(TickRate.mpeg.ticks(wanted), end))
        go(to: ticks)
        return .anchor(correlation.time(of: ticks), due: due)
    }

    func reread(from head: PlaybackClockControl, at now: Monotonic) -> PlaybackClockMove {
        guard start != nil else { return .stay }
        go(to: TickRate.mpeg.ticks(Nanoseconds(head.mediaTime(at: now).nanoseconds) - correlation.offset))
        return .stay
    }

    func choose(_ choice: StreamChoice) {
        let wanted =
            streams.firstIndex {
                !$0.codec.isVideo && choice.audioLanguage != nil && $0.language == choice.audioLanguage
            }
            ?? streams.firstIndex { !$0.codec.isVideo }
        guard wanted != audioIndex else { return }
        audioIndex = wanted
        audioStream += 1
        reportStreams()
    }

    func position(of head: PlaybackClockControl, at now: Monotonic) -> PlaybackPosition {
        var position = PlaybackPosition()
        position.duration = duration.map { TickRate.mpeg.nanoseconds($0) }
        guard let start else { return position }
        let progress = head.mediaTime(at: now) - correlation.time(of: start)
        position.progress = max(.zero, min(progress, position.duration ?? progress))
        position.correlation = correlation
        position.delay = head.state.delay
        position.heldAt = head.pausedAt
        return position
    }

    // MARK: Reading

    private func take(_ packet: MediaPacket) {
        if start == nil {
            start = packet.unit.pts
            let due = sink.now + Self.preparation
            correlation = StreamCorrelation(
                offset: Nanoseconds(due.nanoseconds) - TickRate.mpeg.nanoseconds(packet.unit.pts))
        }
        if packet.stream == videoIndex {
            newest = correlation.time(of: packet.unit.dts)
            sink.count { $0.videoUnits += 1 }
            sink.pictureRead(packet.unit, correlation, packet.bytes)
        } else if packet.stream == audioIndex {
            let unit = AudioUnit(
                codec: streams[packet.stream].codec, stream: audioStream, channels: streams[packet.stream].channels,
                pts: packet.unit.pts, offset: correlation.offset, epoch: 0, isDamaged: packet.unit.isDamaged)
            sink.soundRead(unit, time: correlation.time(of: packet.unit.pts), packet.bytes)
        }
    }

    private func go(to ticks: Int64) {
        newest = nil
        isAtEnd = false
        audioStream += 1
        do throws(ContainerError) {
            try file.seek(to: ticks)
        } catch {
            sink.count { $0.readErrors += 1 }
        }
    }

    private func reportStreams() {
        let infos = streams.enumerated().map { index, stream in
            StreamInfo(
                program: 0, pid: UInt16(clamping: index), codec: stream.codec.rawValue, language: stream.language,
                isVideo: stream.codec.isVideo, isPlayed: index == videoIndex || index == audioIndex)
        }
        sink.streamsChanged(infos)
    }
}
