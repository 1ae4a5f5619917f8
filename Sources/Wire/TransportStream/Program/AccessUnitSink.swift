// SPDX-License-Identifier: Apache-2.0

/// What a `TSDemultiplexer` delivers to. The bytes are valid only during the call.
public protocol AccessUnitSink {
    /// One coded picture in annex B form.
    mutating func videoUnit(_ unit: PESUnit, in bytes: UnsafeRawBufferPointer)
    /// The data of one PES packet, which may begin and end within a frame: see `ADTSSplitter`.
    mutating func audioUnit(_ unit: PESUnit, in bytes: UnsafeRawBufferPointer)
    /// What follows belongs to this program; nil while the stream lists none that we follow.
    mutating func programChanged(_ program: Program?)
}
