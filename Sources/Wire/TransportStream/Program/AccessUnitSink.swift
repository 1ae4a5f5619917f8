// SPDX-License-Identifier: Apache-2.0

/// What a `TSDemultiplexer` delivers to. The bytes are valid only during the call.
public protocol AccessUnitSink {
    /// One coded picture in annex B form, or of MPEG video with the headers before it; both fields of a frame where the
    /// stream lets them be told. Of FWHT the data of one PES packet, which begins as such a picture does.
    mutating func videoUnit(_ unit: PESUnit, in bytes: UnsafeRawBufferPointer)
    /// The data of one PES packet, which may begin and end within a frame; of Opus one packet, never empty.
    mutating func audioUnit(_ unit: PESUnit, in bytes: UnsafeRawBufferPointer)
    /// What follows belongs to this program, of which other streams may have been chosen; nil while the stream lists none
    /// that we follow.
    mutating func programChanged(_ program: Program?)
    /// What the program shows now or next is something else. Those that do not care need not say so.
    mutating func eventsChanged(_ events: PresentFollowing)
}

extension AccessUnitSink {
    @inlinable public mutating func eventsChanged(_ events: PresentFollowing) {}
}
