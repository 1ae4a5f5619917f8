// SPDX-License-Identifier: Apache-2.0

/// The coding of an elementary stream and its framing.
public enum Codec: String, Sendable, Hashable, CaseIterable, BitwiseCopyable {
    case h264, hevc, mpeg2Video
    /// Fast Walsh-Hadamard Transform, the kernel's test codec. Only V4L2 devices decode it.
    case fwht
    /// AAC in ADTS frames.
    case aac
    /// AAC in LATM, framed by LOAS.
    case aacLATM
    /// MPEG audio of all three layers.
    case mpegAudio
    case ac3, enhancedAC3
    /// Opus, one packet per unit.
    case opus

    public var isVideo: Bool {
        switch self {
        case .h264, .hevc, .mpeg2Video, .fwht: true
        case .aac, .aacLATM, .mpegAudio, .ac3, .enhancedAC3, .opus: false
        }
    }
}
