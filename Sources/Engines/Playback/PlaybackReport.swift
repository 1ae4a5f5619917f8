// SPDX-License-Identifier: Apache-2.0
import Buffers
import Codecs
import Media
import Time
import Timelines
import Venue

/// What a session reports to the control loop.
public enum PlaybackReport: StateMessage {
    /// The streams of the source are known. The duration is that of a file; nil if live or not known.
    case ready(session: Int, duration: Nanoseconds?)
    /// A seek has found its place; the position is that of the playback clock now. The stage reports the first picture.
    case positioned(session: Int, epoch: Int, PlaybackPosition)
    /// A file has been played to its end.
    case ended(session: Int)
    /// Nothing more can be played of the source.
    case failed(session: Int, why: String)
    /// A stream of the session cannot be played; the others go on.
    case streamUnsupported(session: Int, what: String)
    /// Another decoder was opened for the session's pictures, or none could be.
    case decoderChanged(session: Int, LadderDecoder.Opening)
    case streamsChanged(session: Int, [StreamInfo])
    /// The programs that the transport stream lists, at most once for each second of the stream.
    case programsChanged(session: Int, [ListedProgram])
    /// The present and following event as the stream announces them; empty when it no longer does. They are read at
    /// most a second before the picture is shown, and reported at most once for each second of the stream.
    case nowNextChanged(session: Int, NowNext)
    /// The time of day as the stream says it, at most once for each second of the stream.
    case timeTold(session: Int, StreamTime)
    /// A timeline that the stream carries, when it is found and when it goes otherwise, at most once for each second of the
    /// stream. It is read at most a second before the picture is shown.
    case timelineTold(session: Int, CarriedTimeline)

    /// The session that reports.
    public var session: Int {
        switch self {
        case .ready(let session, _), .positioned(let session, _, _), .ended(let session), .failed(let session, _),
            .streamUnsupported(let session, _), .decoderChanged(let session, _), .streamsChanged(let session, _),
            .programsChanged(let session, _), .nowNextChanged(let session, _), .timeTold(let session, _),
            .timelineTold(let session, _):
            session
        }
    }

    /// Whether only consumers take it, once for each second of the stream.
    public var isAboutStream: Bool {
        switch self {
        case .nowNextChanged, .timeTold, .timelineTold: true
        default: false
        }
    }

    /// What part of a session a report is about. Each unsupported stream is a part of its own; there are few.
    public enum Part: Hashable, Sendable {
        case readiness, place, end, failure, decoder, streams, programs, nowNext, time
        case timeline(CarriedTimeline.ID)
        case unsupportedStream(String)
    }

    public struct Subject: Hashable, Sendable {
        let session: Int
        let part: Part
    }

    public var subject: Subject { Subject(session: session, part: part) }

    private var part: Part {
        switch self {
        case .ready: .readiness
        case .positioned: .place
        case .ended: .end
        case .failed: .failure
        case .streamUnsupported(_, let what): .unsupportedStream(what)
        case .decoderChanged: .decoder
        case .streamsChanged: .streams
        case .programsChanged: .programs
        case .nowNextChanged: .nowNext
        case .timeTold: .time
        case .timelineTold(_, let timeline): .timeline(timeline.id)
        }
    }
}

/// A stream that can be chosen or is played.
public struct StreamInfo: Sendable, Hashable {
    public var program: UInt16
    public var pid: UInt16
    public var codec: String
    /// The codec that the program map says, if the stream carries another; nil if it carries that.
    public var listedCodec: String?
    public var language: String?
    /// true for pictures, false for sound.
    public var isVideo: Bool
    public var isPlayed: Bool
    /// Whether nothing comes on its PID, so that another stream of its kind is played.
    public var isAbsent: Bool

    public init(
        program: UInt16, pid: UInt16, codec: String, listedCodec: String? = nil, language: String?, isVideo: Bool,
        isPlayed: Bool, isAbsent: Bool = false
    ) {
        self.program = program
        self.pid = pid
        self.codec = codec
        self.listedCodec = listedCodec
        self.language = language
        self.isVideo = isVideo
        self.isPlayed = isPlayed
        self.isAbsent = isAbsent
    }
}
