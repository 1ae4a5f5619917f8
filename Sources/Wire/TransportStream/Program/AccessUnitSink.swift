// SPDX-License-Identifier: Apache-2.0
import Time

/// The receiver of what a `TSDemultiplexer` delivers. The bytes are valid only during the call.
public protocol AccessUnitSink {
    /// Takes one coded picture: in annex B form, or for MPEG video with the headers before it. It has both fields of a
    /// frame if the stream shows that they belong together. For FWHT it is the data of one PES packet, beginning with a
    /// picture's header.
    mutating func videoUnit(_ unit: PESUnit, in bytes: UnsafeRawBufferPointer)
    /// Takes the data of one PES packet, which may begin and end within a frame; for Opus one packet, never empty.
    mutating func audioUnit(_ unit: PESUnit, in bytes: UnsafeRawBufferPointer)
    /// What follows belongs to this program, or to other streams of the same program. Nil while the stream lists no
    /// program to follow.
    mutating func programChanged(_ program: Program?)
    /// The present or following event of the program, a broadcast on air or the next one (EN 300 468, EIT), has changed.
    /// The default implementation does nothing.
    mutating func eventsChanged(_ events: PresentFollowing)
    /// The stream says that it is this time: a time and date table or a time offset table is complete. The default
    /// implementation does nothing.
    mutating func timeTold(_ utc: WallTime)
    /// A stream of the program carries a timeline, and says where that is. The default implementation does nothing.
    mutating func timelineTold(_ mark: TimelineMark)
}

extension AccessUnitSink {
    @inlinable public mutating func eventsChanged(_ events: PresentFollowing) {}
    @inlinable public mutating func timeTold(_ utc: WallTime) {}
    @inlinable public mutating func timelineTold(_ mark: TimelineMark) {}
}
