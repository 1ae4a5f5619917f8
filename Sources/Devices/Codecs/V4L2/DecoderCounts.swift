// SPDX-License-Identifier: Apache-2.0

/// Counters of a hardware decoder since it was opened.
public struct DecoderCounts: Hashable, Sendable {
    /// Pictures handed on, including damaged ones.
    public var pictures = 0
    /// Pictures that the device marked as damaged, whether handed on or not.
    public var damaged = 0
    /// Pictures of units from before a flush; not handed on.
    public var stale = 0
    /// Pictures that belong to no unit sent; not handed on.
    public var untimed = 0
    /// Negotiations of the stream's format, including the first.
    public var setUps = 0
    public var flushes = 0
    /// Unexpected ends of the stream that were repaired by streaming again.
    public var restarts = 0
    /// Buffers that could not be allocated.
    public var buffersMissing = 0
    /// Streams that ended before a header.
    public var headerless = 0
}
