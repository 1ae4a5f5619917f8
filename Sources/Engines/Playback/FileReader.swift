// SPDX-License-Identifier: Apache-2.0
import Bytes
import Containers
import Media
import System
import Time
import Timelines

/// Units of a media file. Its first picture is due a little after it was opened; from then on its own time stamps count.
final class FileReader: MediaReader {
    /// Until the wanted picture is due, after opening and after a seek: to decode what it refers to.
    private static let preparation = Nanoseconds.milliseconds(250)

    private unowned let loop: ReadLoop
    private unowned let video: VideoIntake
    private var file: MediaFile?
    // Beside the file, which must not be looked at while it gives a packet.
    private var streams: [MediaFile.Stream] = []
    private var duration: Int64?
    private var videoIndex: Int?
    private var audioIndex: Int?
    private var audioStream = 0
    /// Media time of the newest picture read, in decoding order.
    private var newest: Monotonic?
    private var isAtEnd = false
    /// The earliest time stamp, which is position 0.
    private var start: Int64?
    private var correlation = StreamCorrelation(offset: .zero)

    /// A file that cannot be opened is reported; the reader then has nothing to read.
    init(opening path: String, for loop: ReadLoop, _ video: VideoIntake) {
        self.loop = loop
        self.video = video
        do throws(ContainerError) {
            let opened = try MediaFile(opening: path, until: loop.session.stopping)
            streams = opened.streams
            duration = opened.duration
            file = consume opened
            videoIndex = streams.firstIndex { $0.codec.isVideo }
            audioIndex = streams.firstIndex { !$0.codec.isVideo }
            video.begin(videoIndex.map { streams[$0].codec })
            loop.session.report(
                .ready(session: loop.session.id, duration: duration.map { TickRate.mpeg.nanoseconds($0) }))
            reportStreams()
        } catch {
            failed(error)
        }
    }

    // MARK: MediaReader

    func advance() -> ReaderProgress {
        guard file != nil else { return .waiting }
        guard !isAtEnd else { return .ended }
        let isWanted = newest.map { loop.isSoon($0) } ?? true
        guard isWanted, video.hasRoom, loop.session.sound.hasRoom else { return .waiting }
        do throws(ContainerError) {
            isAtEnd = try file?.read { packet in take(packet) } != true
        } catch {
            isAtEnd = true
            if start == nil { failed(error) } else { loop.counters.readErrors += 1 }
        }
        return .progressed
    }

    func seek(to target: SeekTarget, epoch: Int, at now: Monotonic) {
        guard case .position(let wanted) = target, let start else {
            loop.setHead { $0.begin(epoch: epoch) }
            return
        }
        let end = duration ?? .max / 2
        let ticks = start + max(0, min(TickRate.mpeg.ticks(wanted), end))
        go(to: ticks)
        loop.setHead { control in
            control.begin(epoch: epoch)
            control.anchor(correlation.time(of: ticks), at: now + Self.preparation)
        }
    }

    func reread(at now: Monotonic) {
        guard start != nil else { return }
        go(to: TickRate.mpeg.ticks(Nanoseconds(loop.control.mediaTime(at: now).nanoseconds) - correlation.offset))
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

    func position(of control: PlayHeadControl, at now: Monotonic) -> PlaybackPosition {
        var position = PlaybackPosition()
        position.duration = duration.map { TickRate.mpeg.nanoseconds($0) }
        guard let start else { return position }
        let progress = control.mediaTime(at: now) - correlation.time(of: start)
        position.progress = max(.zero, min(progress, position.duration ?? progress))
        return position
    }

    // MARK: Reading

    private func take(_ packet: MediaPacket) {
        if start == nil {
            start = packet.unit.pts
            let due = SystemClock.monotonic() + Self.preparation
            correlation = StreamCorrelation(
                offset: Nanoseconds(due.nanoseconds) - TickRate.mpeg.nanoseconds(packet.unit.pts))
        }
        if packet.stream == videoIndex {
            newest = correlation.time(of: packet.unit.dts)
            loop.counters.videoUnits += 1
            video.unitReceived(packet.unit, correlation, packet.bytes)
        } else if packet.stream == audioIndex {
            let unit = AudioUnit(
                codec: streams[packet.stream].codec, stream: audioStream, channels: streams[packet.stream].channels,
                pts: packet.unit.pts, offset: correlation.offset, epoch: 0, isDamaged: packet.unit.isDamaged)
            loop.soundReceived(unit, time: correlation.time(of: packet.unit.pts), packet.bytes)
        }
    }

    private func go(to ticks: Int64) {
        newest = nil
        isAtEnd = false
        audioStream += 1
        loop.expectPictures()
        do throws(ContainerError) {
            try file?.seek(to: ticks)
        } catch {
            loop.counters.readErrors += 1
        }
    }

    private func failed(_ error: ContainerError) {
        file = nil
        loop.session.report(.failed(session: loop.session.id, why: "\(error)"))
    }

    private func reportStreams() {
        let infos = streams.enumerated().map { index, stream in
            StreamInfo(
                program: 0, pid: UInt16(clamping: index), codec: stream.codec.rawValue, language: stream.language,
                isVideo: stream.codec.isVideo, isPlayed: index == videoIndex || index == audioIndex)
        }
        loop.session.report(.streamsChanged(session: loop.session.id, infos))
    }
}
