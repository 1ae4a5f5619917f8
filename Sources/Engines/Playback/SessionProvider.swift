// SPDX-License-Identifier: Apache-2.0
import Buffers

/// A source of pictures and sound for one session: a live channel, a file, and later kinds (HLS, a catalogue, a
/// contribution). Each kind is a type of its own with its own reader; the session knows only this protocol.
public protocol SessionProvider: Sendable {
    /// Signalled when there is more to read; the read thread sleeps on it. nil if the source can always be read.
    var arrived: Wakeup? { get }
    /// Whether the source waits until it is read, as a file does: sound for which there is no room stays in the source.
    /// If false, such sound is dropped.
    var waitsForReader: Bool { get }

    /// Opens the source. What it plays is reported to the sink during this call or while it is read.
    /// - Thread: the session's read thread, as for the reader. It may block, but must watch `sink.stopping`.
    func open(into sink: any SessionSink) throws(SourceFailure) -> any SessionReader
}

/// Why nothing more can be played of a source.
public struct SourceFailure: Error, Hashable, Sendable {
    public let why: String

    public init(_ why: String) { self.why = why }
}
