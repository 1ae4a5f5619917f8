// SPDX-License-Identifier: Apache-2.0
import Buffers
internal import CLibAVFormat

/// An opened `AVFormatContext` whose streams are known.
struct InputFile: ~Copyable {
    private let calls: tlf_calls
    private let context: UnsafeMutablePointer<AVFormatContext>
    private let path: String
    /// Polled by libavformat until the context is closed.
    private let interrupt: StopFlag

    init(opening path: String, until interrupt: StopFlag) throws(ContainerError) {
        let calls = try FormatLibrary.calls(for: path)
        guard tlf_may_be_opened(path) != 0 else { throw .cannotOpen(path: path, reason: "Not a regular file") }
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        // A media file must not name other files or URLs.
        av_dict_set(&options, "protocol_whitelist", "file", 0)
        av_dict_set(&options, "format_whitelist", "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,mpegts,h264,aac,mp3,ac3", 0)
        av_dict_set(&options, "probesize", "5000000", 0)
        av_dict_set(&options, "analyzeduration", "2000000", 0)
        var opened = calls.avformat_alloc_context()
        guard opened != nil else { throw .outOfMemory }
        opened?.pointee.interrupt_callback = AVIOInterruptCB(
            callback: { Unmanaged<StopFlag>.fromOpaque($0.unsafelyUnwrapped).takeUnretainedValue().isRaised ? 1 : 0 },
            opaque: Unmanaged.passUnretained(interrupt).toOpaque())
        let code = withExtendedLifetime(interrupt) { calls.avformat_open_input(&opened, "file:" + path, nil, &options) }
        guard code >= 0, let context = opened else { throw Self.error(path, code) }  // closed by libavformat
        let found = withExtendedLifetime(interrupt) { calls.avformat_find_stream_info(context, nil) }
        guard found >= 0 else {
            calls.avformat_close_input(&opened)
            throw Self.error(path, found)
        }
        self.calls = calls
        self.context = context
        self.path = path
        self.interrupt = interrupt
    }

    deinit {
        var opened: UnsafeMutablePointer<AVFormatContext>? = context
        calls.avformat_close_input(&opened)
    }

    /// Duration in 90 kHz ticks; nil when the file does not state it.
    var duration: Int64? { Self.ticks(context.pointee.duration).flatMap { $0 > 0 ? $0 : nil } }

    /// First timestamp of the file on its own clock, in 90 kHz ticks.
    var start: Int64 { Self.ticks(context.pointee.start_time) ?? 0 }

    /// What libavformat says of the file and of each of its streams, those that cannot be carried among them.
    var description: MediaDescription {
        let streams = (0..<Int(min(context.pointee.nb_streams, 64))).compactMap { index in
            context.pointee.streams[index].flatMap { MediaDescription.Stream($0) }
        }
        return MediaDescription(
            container: context.pointee.iformat.map { MediaDescription.name(of: $0) } ?? "unknown", isRead: true,
            duration: duration, bitsPerSecond: context.pointee.bit_rate > 0 ? context.pointee.bit_rate : nil,
            streams: streams)
    }

    /// One filter for each stream that can be carried; libavformat discards the other streams.
    /// - Parameter isFirstOnly: take only the first video and the first audio stream.
    func filters(isFirstOnly: Bool) throws(ContainerError) -> [StreamFilter] {
        var filters: [StreamFilter] = []
        let start = start
        for index in 0..<Int32(clamping: context.pointee.nb_streams) {
            guard let stream = context.pointee.streams[Int(index)] else { continue }
            stream.pointee.discard = AVDISCARD_ALL
            let isCover = stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0
            guard !isCover, filters.count < MediaFile.mostStreams,
                let filter = try StreamFilter(stream, index: index, start: start),
                !isFirstOnly || !filters.contains(where: { $0.stream.codec.isVideo == filter.stream.codec.isVideo })
            else { continue }
            stream.pointee.discard = AVDISCARD_DEFAULT
            filters.append(filter)
        }
        return filters
    }

    /// - Returns: false at the end of the file.
    func read(_ packet: UnsafeMutablePointer<AVPacket>) throws(ContainerError) -> Bool {
        let code = calls.av_read_frame(context, packet)
        if interrupt.isRaised {
            av_packet_unref(packet)
            throw .interrupted(path: path)
        }
        if code == tlf_end_of_file { return false }
        guard code >= 0 else { throw .unreadable(path: path, code: code) }
        return true
    }

    /// Seeks to the indexed position at or before a time. The position is exact in MP4 and Matroska, approximate in a
    /// transport stream.
    /// - Parameter ticks: 90 kHz, on the file's own clock.
    /// - Returns: false if there is no such position.
    func seek(to ticks: Int64, stream: Int32) -> Bool {
        let base = AVRational(num: 1, den: 90_000)
        guard let source = context.pointee.streams[Int(stream)] else { return false }
        let time = av_rescale_q_rnd(ticks, base, source.pointee.time_base, AV_ROUND_DOWN)
        return calls.avformat_seek_file(context, stream, .min, time, time, 0) >= 0
    }

    /// - Parameter time: in units of 1/`AV_TIME_BASE`, which are microseconds.
    private static func ticks(_ time: Int64) -> Int64? {
        guard time != tlf_no_timestamp else { return nil }
        let ticks = av_rescale(time, 90_000, 1_000_000)
        return StreamFilter.times.contains(ticks) ? ticks : nil
    }

    private static func error(_ path: String, _ code: Int32) -> ContainerError {
        if code == tlf_interrupted { return .interrupted(path: path) }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { text in
            text.initialize(repeating: 0)
            guard let base = text.baseAddress, av_strerror(code, base, text.count) == 0 else {
                return .cannotOpen(path: path, reason: "error \(code)")
            }
            return .cannotOpen(path: path, reason: String(cString: base))
        }
    }
}
