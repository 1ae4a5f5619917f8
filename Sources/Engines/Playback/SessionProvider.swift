// SPDX-License-Identifier: Apache-2.0
import Buffers

/// A source of pictures and sound that one session is to play: a live channel, a file, and whatever comes later (HLS, a
/// catalogue, a contribution). Each kind is a type of its own with its own reader; a session knows no more of it than
/// this.
public protocol SessionProvider: Sendable {
    /// What the source signals when there is more to read; the read thread sleeps on it. nil when the source never has to
    /// be waited for.
    var arrived: Wakeup? { get }
    /// The source waits until it is read, as a file does: sound for which there is no room is left in it. Of a source that
    /// goes on by itself such sound is dropped.
    var waitsForReader: Bool { get }

    /// Opens the source. It has told the sink what it plays when it returns, or tells it while it is read.
    /// - Thread: the session's read thread; the reader is used there alone. It may take long, but has to watch `sink.stopping`.
    func open(into sink: any SessionSink) throws(SourceFailure) -> any SessionReader
}

/// Why nothing more can be played of a source.
public struct SourceFailure: Error, Hashable, Sendable {
    public let why: String

    public init(_ why: String) { self.why = why }
}
