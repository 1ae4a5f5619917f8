// SPDX-License-Identifier: Apache-2.0

/// What a hardware decoder has done since it was opened.
public struct DecoderCounts: Hashable, Sendable {
    /// Handed on, damaged ones too.
    public var pictures = 0
    /// Pictures that the device marked as damaged, shown or not.
    public var damaged = 0
    /// Of units before a flush; not handed on.
    public var stale = 0
    /// Of no unit that went in; not handed on.
    public var untimed = 0
    /// The stream's format was asked for, the first time included.
    public var setUps = 0
    public var flushes = 0
    /// Ends that nobody asked for, made up for by streaming anew.
    public var restarts = 0
    /// Buffers that it did without for want of memory.
    public var buffersMissing = 0
    /// Streams that ended before a header.
    public var headerless = 0
}
