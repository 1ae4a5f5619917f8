// SPDX-License-Identifier: Apache-2.0

/// How many units a decoder may take without giving a picture before it is certain that it decodes none.
///
/// A decoder holds back at most as many pictures as its picture buffer has room for, and gives one when the next is
/// complete. In H.264 (ISO/IEC 14496-10, A.3.1) that room is MaxDpbFrames = min(MaxDpbMbs / macroblocks of a frame, 16)
/// frames, and a unit may be a field, two to a frame: 2 * (MaxDpbFrames + 1) units, at most 34, and 10 for 1920 x 1080
/// at level 4. In HEVC (A.4.2) a field counts as a picture, and there is room for 16: 17 units. MPEG-2 holds back one
/// frame, which is four units of fields. VP8, VP9 and FWHT give a picture for each unit that is shown.
///
/// The bound is never below 16, because devices release units before their pictures are done.
enum ReorderBound {
    static let least = 16

    /// - Parameters:
    ///   - size: size of the stream's pictures; nil if unknown.
    ///   - level: level_idc of H.264; nil if unknown.
    static func units(of coding: VideoCoding, size: DecoderNeed.Size?, level: Int?) -> Int {
        switch coding {
        case .h264: max(least, 2 * (frames(size, level) + 1))
        case .hevc: 16 + 1
        case .mpeg2Video, .vp8, .vp9, .fwht: least
        }
    }

    /// Computes MaxDpbFrames.
    private static func frames(_ size: DecoderNeed.Size?, _ level: Int?) -> Int {
        guard let size, size.width > 0, size.height > 0, let level, let most = macroblocks(level) else { return 16 }
        let macroblocks = ((size.width + 15) / 16) * ((size.height + 15) / 16)
        return min(most / max(1, macroblocks), 16)
    }

    /// MaxDpbMbs (table A-1). Level 11 may also mean 1b, which has less.
    private static func macroblocks(_ level: Int) -> Int? {
        switch level {
        case 9, 10: 396
        case 11: 900
        case 12, 13, 20: 2_376
        case 21: 4_752
        case 22, 30: 8_100
        case 31: 18_000
        case 32: 20_480
        case 40, 41: 32_768
        case 42: 34_816
        case 50: 110_400
        case 51, 52: 184_320
        case 60, 61, 62: 696_320
        default: nil
        }
    }
}
