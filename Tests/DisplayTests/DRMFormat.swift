// SPDX-License-Identifier: Apache-2.0

/// What `drm_fourcc.h` says; written here once more, for what is tested has it from `Media`.
enum DRMFormat {
    static let nv12: UInt32 = 0x3231_564e
    static let nv21: UInt32 = 0x3132_564e
    static let p010: UInt32 = 0x3031_3050
    static let yu12: UInt32 = 0x3231_5559
    static let ofVideos = [nv12, nv21, p010, yu12]
}
