// SPDX-License-Identifier: Apache-2.0
import Media

/// An access unit of a file; its octets are borrowed for the call.
public struct MediaPacket {
    /// Index into `MediaFile.streams`.
    public let stream: Int
    public let unit: AccessUnit
    /// Duration in 90 kHz ticks; 0 when the file does not state it.
    public let duration: Int64
    /// Annex B for H.264 and HEVC, ADTS for AAC.
    public let bytes: UnsafeRawBufferPointer
}
