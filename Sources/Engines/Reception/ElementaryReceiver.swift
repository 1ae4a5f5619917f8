// SPDX-License-Identifier: Apache-2.0
import Bytes
import Media
import RTP
import Time
import TransportStream
import Venue

/// One tuned channel of elementary RTP streams, from datagrams to history. It puts each medium in order, assembles its
/// access units, places them on one timeline and writes them into the history as a transport stream. So everything
/// behind the history (rewind, clock, decoding) knows one kind of stream; this costs one copy.
///
/// That transport stream has no PCR, since RTP has none: its clock follows the decoding times of its units. A
/// continuity counter gap marks where packets were lost.
///
/// Sans I/O (design rule 11), owned by one thread. Allocates nothing once it has seen the largest picture.
public final class ElementaryReceiver {
    /// Octets. A smaller picture cannot show a loss: the mark is a continuity counter left out after its first TS
    /// packet.
    private static let smallestMarked = 400
    /// Number of pictures that are dropped while none tells how pictures are reordered and none is an entry point. After
    /// these any picture begins the stream: the decoder may find a place to start itself.
    private static let patience = 50
    /// Octets of the largest record; a whole number of TS packets.
    private static let largestRecord = 340 * TSPacket.size

    /// A decoder of Opus gives two channels whatever was coded, as the description says (RFC 7587 7).
    private static let opusChannels = 2

    private struct Medium {
        let flow: RTPFlow
        let index: Int
        var datagrams = DatagramCounter()
    }

    private var counted = ReceptionCounters()
    private var feed: StreamFeed
    private var pictures: Medium?
    private var sound: Medium?
    private var pictureUnits: PictureDepacketizer?
    private var videoCodec = StreamCodec.h264
    private var soundUnits: SoundDepacketizer?
    private var alignment: MediaAlignment
    private var decodingTimes = DecodingTimes()
    private var multiplexer: TSMultiplexer
    private var packets = WireWriter(reserving: 256 << 10)
    /// Whether the stream has begun: with parameter sets, which tell how its pictures are reordered, with a random-access or
    /// recovery point, or with any picture after `patience`. Who plays it decides where decoding begins.
    private var hasBegun = false
    /// Pictures received before the stream began.
    private var pictureCount = 0
    /// Whether a loss has not been marked in the transport stream yet.
    private var isBroken = false
    private var meter: QualityMeter
    private var lastArrival = Monotonic(nanoseconds: 0)

    /// - Parameter media: only the first video medium and the first audio medium are used.
    public init(_ media: [ElementaryMedium], into history: HistoryBuffer, limits: MonitorLimits = MonitorLimits()) {
        meter = QualityMeter(limits: limits)
        feed = StreamFeed(program: nil, into: history)
        for (index, medium) in media.enumerated() {
            let flow = RTPFlow(
                payloadType: medium.payloadType, delivering: .wholePacket, clockRate: medium.clockRate)
            if medium.isVideo {
                guard pictures == nil else { continue }
                pictures = Medium(flow: flow, index: index)
                pictureUnits = PictureDepacketizer(medium.coding)
                videoCodec = medium.coding.codec
            } else {
                // The line-up does not offer what cannot be parsed. Sound of any other form is not played.
                guard sound == nil, let units = try? SoundDepacketizer(medium) else { continue }
                sound = Medium(flow: flow, index: index)
                soundUnits = units
            }
        }
        alignment = MediaAlignment(
            pictureRate: pictures.map { media[$0.index].clockRate }, soundRate: sound.map { media[$0.index].clockRate })
        var layout = TSMultiplexer.Layout(provider: "", name: "")
        if pictures == nil { layout.videoPID = nil }
        if sound == nil { layout.audioPID = nil }
        layout.hasClock = false
        layout.videoCodec = videoCodec
        if let sound { layout.audioCodec = media[sound.index].coding.codec }
        if layout.audioCodec == .opus { layout.audioChannels = Self.opusChannels }
        multiplexer = TSMultiplexer(layout)
    }

    public var counters: ReceptionCounters {
        var result = feed.counters()
        result.add(counted)
        if let pictures, let pictureUnits {
            result.add(pictures.datagrams.counters)
            result.add(pictures.flow.counters)
            result.count(pictureUnits.counters)
        }
        if let sound, let soundUnits {
            result.add(sound.datagrams.counters)
            result.add(sound.flow.counters)
            result.count(soundUnits.counters)
        }
        result.senderReports = alignment.reports
        result.doubtfulSenderReports = alignment.doubtfulReports
        return result
    }

    /// Quality as of the last whole second.
    public var quality: StreamQuality { meter.quality }

    // MARK: Input

    /// - Parameter medium: index of the medium to whose port the datagram came.
    public func datagramReceived(_ bytes: UnsafeRawBufferPointer, of medium: Int, at arrival: Monotonic) {
        if medium == pictures?.index {
            pictures?.datagrams.received(octets: bytes.count)
            pictures?.flow.packetReceived(bytes, at: arrival, senderChanged: {}) { packet, arrival, _ in
                pictureReceived(packet, at: arrival)
            }
        } else if medium == sound?.index {
            sound?.datagrams.received(octets: bytes.count)
            sound?.flow.packetReceived(bytes, at: arrival, senderChanged: {}) { packet, arrival, _ in
                soundReceived(packet, at: arrival)
            }
        }
    }

    /// Takes an RTCP datagram. Only the sender report of the medium's current sender is used.
    public func controlReceived(_ bytes: UnsafeRawBufferPointer, of medium: Int) {
        do throws(WireError) {
            guard let report = try SenderReport(bytes) else { return }
            if medium == pictures?.index, report.ssrc == pictures?.flow.ssrc {
                alignment.pictureReportReceived(report)
            } else if medium == sound?.index, report.ssrc == sound?.flow.ssrc {
                alignment.soundReportReceived(report)
            }
        } catch {
            counted.malformedDatagrams += 1
        }
    }

    public func truncatedDatagramReceived(of medium: Int) {
        if medium == pictures?.index { pictures?.datagrams.truncatedReceived() }
        if medium == sound?.index { sound?.datagrams.truncatedReceived() }
    }

    /// - Parameter total: the socket's own drop count (`SO_RXQ_OVFL`), which wraps.
    public func kernelDropsReported(total: UInt32, of medium: Int) {
        if medium == pictures?.index, let news = pictures?.datagrams.dropsReported(total: total) {
            pictures?.flow.kernelDropped(news)
        }
        if medium == sound?.index, let news = sound?.datagrams.dropsReported(total: total) {
            sound?.flow.kernelDropped(news)
        }
    }

    /// To be called after each batch, and when time has passed without a datagram.
    public func tick(at now: Monotonic) {
        pictures?.flow.tick(at: now) { packet, arrival, _ in pictureReceived(packet, at: arrival) }
        sound?.flow.tick(at: now) { packet, arrival, _ in soundReceived(packet, at: arrival) }
        pictures?.flow.accountLosses(at: now)
        sound?.flow.accountLosses(at: now)
        meter.tick(at: now) {
            var reading = QualityMeter.Reading(&feed)
            if let pictures { reading.add(pictures.flow, pictures.datagrams) }
            if let sound { reading.add(sound.flow, sound.datagrams) }
            return reading
        }
    }

    // MARK: Packets to units

    private func pictureReceived(_ packet: UnsafeRawBufferPointer, at arrival: Monotonic) {
        guard let header = try? RTPHeader(packet) else { return }  // the flow has parsed it once
        pictureUnits?.push(header, in: packet) { unit, bytes in write(picture: unit, bytes, at: arrival) }
    }

    private func soundReceived(_ packet: UnsafeRawBufferPointer, at arrival: Monotonic) {
        guard let header = try? RTPHeader(packet) else { return }  // the flow has parsed it once
        soundUnits?.push(header, in: packet) { unit, bytes in write(sound: unit, bytes, at: arrival) }
    }

    // MARK: Units to the history

    private func write(picture unit: RTPUnit, _ bytes: UnsafeRawBufferPointer, at arrival: Monotonic) {
        if unit.isDiscontinuity {
            alignment.picturesRestart()
            decodingTimes.restart()
        }
        let isEntry = unit.isRandomAccess || isVideoEntry(bytes)
        let depth = isEntry || !hasBegun ? PictureOrder.mostReordered(videoCodec, of: bytes) : nil
        if !hasBegun {
            pictureCount += 1
            hasBegun =
                depth != nil || PictureContent(videoCodec, bytes).isEntry || pictureCount > Self.patience
            guard hasBegun else { return }
        }
        if let depth { decodingTimes.told(depth: depth) }
        let pts = Self.ticks(alignment.pictureTime(of: unit.timestamp))
        let dts = decodingTimes.next(pts: pts)
        alignment.pictureReceived(decodedAt: TickRate.mpeg.nanoseconds(dts), at: arrival)
        if unit.isDamaged || unit.followsLoss { isBroken = true }
        let shows = isBroken && bytes.count >= Self.smallestMarked
        packets.removeAll()
        multiplexer.writeVideo(
            bytes, pts: pts, dts: dts, isRandomAccess: isEntry, isBroken: shows,
            clock: Self.programClock(arrival), to: &packets)
        if shows { isBroken = false }
        store(at: arrival, afterLoss: shows)
    }

    /// Whether a picture of MPEG video is a random-access point. Of the other codings its depacketizer knows it.
    private func isVideoEntry(_ picture: UnsafeRawBufferPointer) -> Bool {
        videoCodec == .mpeg2Video && PictureContent(videoCodec, picture).isEntryPoint
    }

    private func write(sound unit: RTPUnit, _ bytes: UnsafeRawBufferPointer, at arrival: Monotonic) {
        if unit.isDiscontinuity { alignment.soundRestarts() }
        // Sound before the first picture has no place on the timeline and is dropped.
        guard let time = alignment.soundTime(of: unit.timestamp, at: arrival) else { return }
        packets.removeAll()
        multiplexer.writeAudio(bytes, pts: Self.ticks(time), clock: Self.programClock(arrival), to: &packets)
        store(at: arrival, afterLoss: unit.followsLoss)
    }

    /// The sockets of the media are read one after the other, so arrivals may go back; a record's arrival never does.
    private func store(at arrival: Monotonic, afterLoss: Bool) {
        lastArrival = max(lastArrival, arrival)
        packets.bytes.withUnsafeBytes { bytes in
            var start = 0
            while start < bytes.count {
                let end = min(start + Self.largestRecord, bytes.count)
                feed.store(
                    UnsafeRawBufferPointer(rebasing: bytes[start..<end]), at: lastArrival,
                    afterLoss: afterLoss && start == 0)
                start = end
            }
        }
    }

    /// Rounds to the nearest tick: half a tick is 5,555 ns, and a span of whole ticks was cut to whole nanoseconds.
    private static func ticks(_ time: Nanoseconds) -> Int64 { TickRate.mpeg.ticks(time + Nanoseconds(5_555)) }

    /// 27 MHz ticks by which the multiplexer spaces its tables. No PCR is written.
    private static func programClock(_ arrival: Monotonic) -> Int64 { arrival.nanoseconds / 1_000 &* 27 }
}
