// SPDX-License-Identifier: Apache-2.0

/// What an elementary stream is coded with, and how it is framed.
public enum Codec: String, Sendable, Hashable, CaseIterable, BitwiseCopyable {
    case h264, hevc, mpeg2Video
    /// The kernel's own test codec, which devices alone decode.
    case fwht
    /// AAC in ADTS frames.
    case aac
    /// AAC in LATM, framed by LOAS.
    case aacLATM
    /// MPEG audio, all three layers.
    case mpegAudio
    case ac3, enhancedAC3
    /// One packet a unit.
    case opus

    public var isVideo: Bool {
        switch self {
        case .h264, .hevc, .mpeg2Video, .fwht: true
        case .aac, .aacLATM, .mpegAudio, .ac3, .enhancedAC3, .opus: false
        }
    }
}
