// SPDX-License-Identifier: Apache-2.0
internal import CLibAVFormat

/// An opened `AVFormatContext` whose streams are known.
struct InputFile: ~Copyable {
    private let context: UnsafeMutablePointer<AVFormatContext>
    private let path: String

    init(opening path: String) throws(ContainerError) {
        Self.silenceLog
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        // A file is a file: none may name others, or a URL.
        av_dict_set(&options, "protocol_whitelist", "file", 0)
        av_dict_set(&options, "format_whitelist", "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,mpegts,h264,aac,mp3,ac3", 0)
        av_dict_set(&options, "probesize", "5000000", 0)
        av_dict_set(&options, "analyzeduration", "2000000", 0)
        var opened: UnsafeMutablePointer<AVFormatContext>?
        let code = avformat_open_input(&opened, "file:" + path, nil, &options)
        guard code >= 0, let context = opened else { throw Self.error(path, code) }
        let found = avformat_find_stream_info(context, nil)
        guard found >= 0 else {
            avformat_close_input(&opened)
            throw Self.error(path, found)
        }
        self.context = context
        self.path = path
    }

    deinit {
        var opened: UnsafeMutablePointer<AVFormatContext>? = context
        avformat_close_input(&opened)
    }

    /// The first video and the first audio that can be carried; libavformat drops the others.
    func filters() throws(ContainerError) -> [StreamFilter] {
        var filters: [StreamFilter] = []
        for index in 0..<Int32(clamping: context.pointee.nb_streams) {
            guard let stream = context.pointee.streams[Int(index)] else { continue }
            stream.pointee.discard = AVDISCARD_ALL
            guard let filter = try StreamFilter(stream, index: index),
                !filters.contains(where: { $0.stream.codec.isVideo == filter.stream.codec.isVideo })
            else { continue }
            stream.pointee.discard = AVDISCARD_DEFAULT
            filters.append(filter)
        }
        return filters
    }

    /// - Returns: false at the end.
    func read(_ packet: UnsafeMutablePointer<AVPacket>) throws(ContainerError) -> Bool {
        let code = av_read_frame(context, packet)
        if code == tlf_end_of_file { return false }
        guard code >= 0 else { throw .unreadable(path: path, code: code) }
        return true
    }

    private static func error(_ path: String, _ code: Int32) -> ContainerError {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { text in
            text.initialize(repeating: 0)
            guard let base = text.baseAddress, av_strerror(code, base, text.count) == 0 else {
                return .cannotOpen(path: path, reason: "error \(code)")
            }
            return .cannotOpen(path: path, reason: String(cString: base))
        }
    }

    /// What is wrong with a file is in the error. Once per process.
    private static let silenceLog: Void = av_log_set_level(AV_LOG_QUIET)
}
