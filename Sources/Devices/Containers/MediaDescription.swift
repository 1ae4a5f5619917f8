// SPDX-License-Identifier: Apache-2.0
import Buffers
internal import CLibAVFormat
import Media

/// What a media file is, whether or not it can be played (PLAY-44).
public struct MediaDescription: Hashable, Sendable {
    /// One stream of the file.
    public struct Stream: Hashable, Sendable {
        /// `video`, `audio`, `subtitle`, `data` or `other`.
        public var kind: String
        /// libavcodec's name, such as `h264`.
        public var codec: String
        /// libavcodec's name of the profile, such as `High`; nil if it has none or it is not known.
        public var profile: String?
        /// Size in pixels; 0 but for video.
        public var width: Int
        public var height: Int
        /// Pictures a second; nil but for video of a known rate.
        public var pictureRate: Double?
        /// Samples a second and channels; 0 but for audio.
        public var sampleRate: Int
        public var channels: Int
        /// ISO 639 code; nil when the file does not state one.
        public var language: String?
        /// The codec of which a file with this stream is played; nil if the box plays no such streams.
        public var played: Codec?
    }

    /// libavformat's name of the container, such as `MPEG-TS (MPEG-2 Transport Stream)`.
    public var container: String
    /// Whether the box reads such containers. If not, the streams are not known.
    public var isRead: Bool
    /// Duration in 90 kHz ticks; nil when the file does not state it.
    public var duration: Int64?
    /// Bit rate of the whole file; nil if it is not known.
    public var bitsPerSecond: Int64?
    public var streams: [Stream]

    /// Looks at a regular file.
    /// - Parameter interrupt: when another thread raises it, the look ends between two reads.
    /// - Throws: `.cannotOpen` for what is no regular file or no media.
    public init(of path: String, until interrupt: StopFlag = StopFlag()) throws(ContainerError) {
        do throws(ContainerError) {
            self = try InputFile(opening: path, until: interrupt).description
        } catch {
            guard case .cannotOpen = error, let container = Self.container(of: path) else { throw error }
            self.init(container: container, isRead: false, duration: nil, bitsPerSecond: nil, streams: [])
        }
    }

    init(container: String, isRead: Bool, duration: Int64?, bitsPerSecond: Int64?, streams: [Stream]) {
        self.container = container
        self.isRead = isRead
        self.duration = duration
        self.bitsPerSecond = bitsPerSecond
        self.streams = streams
    }

    /// The container of a file by its first octets, which are not looked into any further.
    private static func container(of path: String) -> String? {
        guard tlf_may_be_opened(path) != 0, let calls = try? FormatLibrary.calls(for: path) else { return nil }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 65_536 + Int(AVPROBE_PADDING_SIZE)) { head in
            head.initialize(repeating: 0)
            let octets = tlf_read_head(path, head.baseAddress, 65_536)
            guard octets > 0 else { return nil }
            var probe = AVProbeData()
            probe.buf = head.baseAddress
            probe.buf_size = octets
            // The name of the file, by which libavformat would guess as well.
            return path.withCString { name in
                probe.filename = name
                var score: Int32 = 0
                // Below this is a guess.
                guard let format = calls.av_probe_input_format3(&probe, 1, &score), score > AVPROBE_SCORE_RETRY else {
                    return nil
                }
                return Self.name(of: format)
            }
        }
    }

    static func name(of format: UnsafePointer<AVInputFormat>) -> String {
        let short = format.pointee.name.map { String(cString: $0) } ?? "unknown"
        guard let long = format.pointee.long_name.map({ String(cString: $0) }), long != short else { return short }
        return "\(short) (\(long))"
    }
}

extension MediaDescription.Stream {
    init?(_ stream: UnsafeMutablePointer<AVStream>) {
        guard let fields = stream.pointee.codecpar?.pointee else { return nil }
        switch fields.codec_type {
        case AVMEDIA_TYPE_VIDEO: kind = "video"
        case AVMEDIA_TYPE_AUDIO: kind = "audio"
        case AVMEDIA_TYPE_SUBTITLE: kind = "subtitle"
        case AVMEDIA_TYPE_DATA: kind = "data"
        default: kind = "other"
        }
        codec = avcodec_get_name(fields.codec_id).map { String(cString: $0) } ?? "unknown"
        profile = avcodec_profile_name(fields.codec_id, fields.profile).map { String(cString: $0) }
        (width, height) = (Int(fields.width), Int(fields.height))
        let rate = stream.pointee.avg_frame_rate
        pictureRate = kind == "video" && rate.num > 0 && rate.den > 0 ? Double(rate.num) / Double(rate.den) : nil
        (sampleRate, channels) = (Int(fields.sample_rate), Int(fields.ch_layout.nb_channels))
        language = StreamFilter.language(of: stream)
        // The rule by which files are played.
        played = ((try? StreamFilter(stream, index: 0, start: 0)) ?? nil)?.stream.codec
    }
}
