// SPDX-License-Identifier: Apache-2.0

/// A program of the transport stream, and the streams of it that are delivered.
public struct Program: Sendable, Equatable {
    public let number: UInt16
    public let mapPID: UInt16
    public let pcrPID: UInt16?
    /// All streams of the program map; at most 201.
    public let streams: [ElementaryStream]
    /// The first video stream of a supported codec; nil if there is none.
    public let video: ElementaryStream?
    /// The first audio stream of a supported codec, in the wanted language if there is one; nil if there is none at
    /// all. Audio description is chosen only if there is nothing else.
    public let audio: ElementaryStream?

    /// PIDs that the map lists and on which nothing comes; their streams are not chosen.
    public let absent: Set<UInt16>

    /// - Parameter audioLanguage: ISO 639-2, in upper or lower case, either code of a language that has two; nil for
    ///   any language.
    public init(
        number: UInt16, mapPID: UInt16, pcrPID: UInt16?, streams: [ElementaryStream], audioLanguage: String? = nil,
        absent: Set<UInt16> = []
    ) {
        self.number = number
        self.mapPID = mapPID
        self.pcrPID = pcrPID
        self.streams = streams
        self.absent = absent
        let usable = Program.usable(streams, mapPID: mapPID).filter { !absent.contains($0.pid) }
        let video = usable.first { $0.codec.isVideo }
        self.video = video
        let candidates = usable.filter { $0.codec.isAudio && $0.pid != video?.pid }
        let wanted = audioLanguage.map(LanguageCode.canonical)
        let isWanted = { (stream: ElementaryStream) in
            wanted != nil && stream.language.map(LanguageCode.canonical) == wanted
        }
        let main = candidates.filter { !$0.isAudioDescription }
        audio = main.first(where: isWanted) ?? main.first ?? candidates.first(where: isWanted) ?? candidates.first
    }

    /// The streams that can be delivered, whether they are there or not.
    var media: [ElementaryStream] { Program.usable(streams, mapPID: mapPID) }

    private static func usable(_ streams: [ElementaryStream], mapPID: UInt16) -> [ElementaryStream] {
        streams.filter { $0.codec.isSupported && !isTable($0.pid, mapPID: mapPID) }
    }

    /// Video and audio streams of codecs that are not supported.
    public var unsupported: [ElementaryStream] {
        streams.filter { ($0.codec.isVideo || $0.codec.isAudio) && !$0.codec.isSupported }
    }

    /// Number of streams that have the PID of a table, and of audio streams that have the PID of a video stream.
    var refusedStreams: Int {
        streams.filter { stream in
            Program.isTable(stream.pid, mapPID: mapPID)
                || stream.codec.isAudio && streams.contains { $0.pid == stream.pid && $0.codec.isVideo }
        }.count
    }

    /// What ISO/IEC 13818-1 table 2-3 assigns, and the program's own map. The PIDs that DVB assigns to tables are media in
    /// other countries; where a map lists them, they are.
    private static func isTable(_ pid: UInt16, mapPID: UInt16) -> Bool {
        pid <= PID.lastAssigned || pid == PID.null || pid == mapPID
    }
}
