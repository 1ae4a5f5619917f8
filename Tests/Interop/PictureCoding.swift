// SPDX-License-Identifier: Apache-2.0

/// How ffmpeg codes pictures: a random-access point each second and B pictures between.
enum PictureCoding: String, CaseIterable {
    case h264, hevc, mpeg2

    var arguments: [String] {
        let rate = CountedVideo.rate
        switch self {
        case .h264:
            return [
                "-c:v", "libx264", "-preset", "superfast", "-g", "\(rate)", "-keyint_min", "\(rate)", "-sc_threshold",
                "0", "-bf", "2", "-b:v", "1500k", "-maxrate", "1800k", "-bufsize", "900k",
            ]
        case .hevc:
            return [
                "-c:v", "libx265", "-preset", "ultrafast", "-b:v", "1500k", "-x265-params",
                "keyint=\(rate):min-keyint=\(rate):scenecut=0:open-gop=0:bframes=2:log-level=error",
            ]
        case .mpeg2:
            return [
                "-c:v", "mpeg2video", "-g", "\(rate)", "-bf", "2", "-sc_threshold", "1000000000", "-flags", "+cgop",
                "-b:v", "3000k", "-maxrate", "4000k", "-bufsize", "1500k",
            ]
        }
    }
}
