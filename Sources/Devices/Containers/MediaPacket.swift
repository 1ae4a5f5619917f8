// SPDX-License-Identifier: Apache-2.0
import Media

/// An access unit of a file, borrowed for a call.
public struct MediaPacket {
    /// Which of `MediaFile.streams`.
    public let stream: Int
    public let unit: AccessUnit
    /// 90 kHz ticks; 0 when the file does not say.
    public let duration: Int64
    /// Annex B for H.264 and HEVC, ADTS for AAC.
    public let bytes: UnsafeRawBufferPointer
}
