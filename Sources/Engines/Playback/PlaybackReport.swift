// SPDX-License-Identifier: Apache-2.0
import Buffers
import Codecs
import Media
import Time
import Venue

/// What a session tells the control plane.
public enum PlaybackReport: StateMessage {
    /// What the session plays is known; duration of a file.
    case ready(session: Int, duration: Nanoseconds?)
    /// A seek's target was found: where the play-head is now. Its first picture is the stage's to report.
    case positioned(session: Int, epoch: Int, PlaybackPosition)
    /// A file has been played to its end.
    case ended(session: Int)
    /// Nothing more can be played of it.
    case failed(session: Int, why: String)
    /// A stream of it cannot be played; the others go on.
    case streamUnsupported(session: Int, what: String)
    /// Another decoder has been opened for its pictures, or there is none.
    case decoderChanged(session: Int, LadderDecoder.Opening)
    case streamsChanged(session: Int, [StreamInfo])
    /// What the stream says of itself where it is read, a second ahead of the picture at most; nothing when it no longer
    /// does. At most once a second of the stream.
    case nowNextChanged(session: Int, NowNext)

    /// Whose it is.
    public var session: Int {
        switch self {
        case .ready(let session, _), .positioned(let session, _, _), .ended(let session), .failed(let session, _),
            .streamUnsupported(let session, _), .decoderChanged(let session, _), .streamsChanged(let session, _),
            .nowNextChanged(let session, _):
            session
        }
    }

    /// What of a session a report is about. Streams that are not supported are told one by one, and there are few.
    public enum Part: Hashable, Sendable {
        case readiness, place, end, failure, decoder, streams, nowNext
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
        case .nowNextChanged: .nowNext
        }
    }
}

/// A stream that may be chosen or is played.
public struct StreamInfo: Sendable, Hashable {
    public var program: UInt16
    public var pid: UInt16
    public var codec: String
    public var language: String?
    /// Pictures; else sound.
    public var isVideo: Bool
    public var isPlayed: Bool

    public init(program: UInt16, pid: UInt16, codec: String, language: String?, isVideo: Bool, isPlayed: Bool) {
        self.program = program
        self.pid = pid
        self.codec = codec
        self.language = language
        self.isVideo = isVideo
        self.isPlayed = isPlayed
    }
}
