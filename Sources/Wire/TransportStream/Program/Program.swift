// SPDX-License-Identifier: Apache-2.0

/// A program of the transport stream, and the streams of it that are delivered.
public struct Program: Sendable, Equatable {
    /// By reference, because the program is asked for with each unit that begins.
    private let content: Content

    public var number: UInt16 { content.number }
    public var mapPID: UInt16 { content.mapPID }
    public var pcrPID: UInt16? { content.pcrPID }
    /// All streams of the program map; at most 201.
    public var streams: [ElementaryStream] { content.streams }
    /// The first video stream of a supported codec; nil if there is none.
    public var video: ElementaryStream? { content.video }
    /// The first audio stream of a supported codec, in the wanted language if there is one; nil if there is none at
    /// all. Audio description is chosen only if there is nothing else.
    public var audio: ElementaryStream? { content.audio }
    /// PIDs that the map lists and on which nothing comes; their streams are not chosen.
    public var absent: Set<UInt16> { content.absent }

    /// - Parameter audioLanguage: ISO 639-2, in upper or lower case, either code of a language that has two; nil for
    ///   any language.
    public init(
        number: UInt16, mapPID: UInt16, pcrPID: UInt16?, streams: [ElementaryStream], audioLanguage: String? = nil,
        absent: Set<UInt16> = []
    ) {
        let usable = Program.usable(streams, mapPID: mapPID).filter { !absent.contains($0.pid) }
        let video = usable.first { $0.codec.isVideo }
        let candidates = usable.filter { $0.codec.isAudio && $0.pid != video?.pid }
        let wanted = audioLanguage.map(LanguageCode.canonical)
        let isWanted = { (stream: ElementaryStream) in
            wanted != nil && stream.language.map(LanguageCode.canonical) == wanted
        }
        let main = candidates.filter { !$0.isAudioDescription }
        let audio =
            main.first(where: isWanted) ?? main.first ?? candidates.first(where: isWanted) ?? candidates.first
        content = Content(number, mapPID, pcrPID, streams, video, audio, absent)
    }

    public static func == (one: Program, other: Program) -> Bool {
        one.content === other.content
            || (one.number, one.mapPID, one.pcrPID) == (other.number, other.mapPID, other.pcrPID)
                && (one.streams, one.video, one.audio, one.absent)
                    == (other.streams, other.video, other.audio, other.absent)
    }

    private final class Content: Sendable {
        let number: UInt16
        let mapPID: UInt16
        let pcrPID: UInt16?
        let streams: [ElementaryStream]
        let video: ElementaryStream?
        let audio: ElementaryStream?
        let absent: Set<UInt16>

        init(
            _ number: UInt16, _ mapPID: UInt16, _ pcrPID: UInt16?, _ streams: [ElementaryStream],
            _ video: ElementaryStream?, _ audio: ElementaryStream?, _ absent: Set<UInt16>
        ) {
            (self.number, self.mapPID, self.pcrPID, self.streams) = (number, mapPID, pcrPID, streams)
            (self.video, self.audio, self.absent) = (video, audio, absent)
        }
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
