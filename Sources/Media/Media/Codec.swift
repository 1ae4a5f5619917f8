// SPDX-License-Identifier: Apache-2.0

/// What an elementary stream is coded with.
public enum Codec: String, Sendable, Hashable, CaseIterable {
    case h264, hevc, mpeg2Video, aac, mpegAudio, ac3, opus

    public var isVideo: Bool { self == .h264 || self == .hevc || self == .mpeg2Video }
}
