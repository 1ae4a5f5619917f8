// SPDX-License-Identifier: Apache-2.0

/// A program of the transport stream and which of its streams are delivered.
public struct Program: Sendable, Equatable {
    public let number: UInt16
    public let mapPID: UInt16
    public let pcrPID: UInt16?
    /// All that the map lists; at most 201.
    public let streams: [ElementaryStream]
    /// The first of a codec that we deliver.
    public let video: ElementaryStream?
    /// Likewise, in the language wanted where there is one.
    public let audio: ElementaryStream?

    /// - Parameter audioLanguage: ISO 639-2, in upper or lower case, either code of a language that has two; nil for any.
    public init(
        number: UInt16, mapPID: UInt16, pcrPID: UInt16?, streams: [ElementaryStream], audioLanguage: String? = nil
    ) {
        self.number = number
        self.mapPID = mapPID
        self.pcrPID = pcrPID
        self.streams = streams
        let usable = streams.filter { $0.codec.isSupported && !Program.isTable($0.pid, mapPID: mapPID) }
        let video = usable.first { $0.codec.isVideo }
        self.video = video
        let candidates = usable.filter { $0.codec.isAudio && $0.pid != video?.pid }
        let wanted = audioLanguage.map(LanguageCode.canonical)
        let spoken = candidates.filter { wanted != nil && $0.language.map(LanguageCode.canonical) == wanted }
        // A commentary for the visually impaired is for who has no other.
        let choice = [spoken, candidates].first { !$0.isEmpty } ?? []
        audio = choice.first { $0.audioType != 3 } ?? choice.first
    }

    /// Pictures and sound in codecs that we do not deliver.
    public var unsupported: [ElementaryStream] {
        streams.filter { ($0.codec.isVideo || $0.codec.isAudio) && !$0.codec.isSupported }
    }

    /// Streams that claim the PID of a table or, being picture and sound, that of each other.
    var refusedStreams: Int {
        streams.filter { stream in
            Program.isTable(stream.pid, mapPID: mapPID)
                || stream.codec.isAudio && streams.contains { $0.pid == stream.pid && $0.codec.isVideo }
        }.count
    }

    private static func isTable(_ pid: UInt16, mapPID: UInt16) -> Bool {
        pid < 0x10 || pid == PID.serviceDescription || pid == PID.null || pid == mapPID
    }
}
