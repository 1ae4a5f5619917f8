// SPDX-License-Identifier: Apache-2.0
import Scene
import Time

@testable import Display

/// What screens offer, in the order in which the kernel lists it: the screen's own, then by size and rate.
enum ScreenModes {
    /// "1920x1080@59.94", "1920x1080i@50"; with "*": its own.
    static func mode(_ text: String) -> KMSMode {
        let isPreferred = text.hasSuffix("*")
        let parts = text.split(separator: "@")
        let isInterlaced = parts[0].hasSuffix("i")
        let sides = parts[0].split(separator: "x").compactMap { Int($0.filter(\.isNumber)) }
        guard let rate = FrameRate(parts[1].filter { $0 != "*" }), sides.count == 2 else {
            preconditionFailure("no mode \(text)")
        }
        return KMSMode(
            size: PixelSize(width: sides[0], height: sides[1]), refresh: rate, isInterlaced: isInterlaced,
            isPreferred: isPreferred)
    }

    static func modes(_ text: String) -> [KMSMode] { text.split(separator: " ").map { mode(String($0)) } }

    static func text(_ mode: KMSMode) -> String {
        "\(mode.size)\(mode.isInterlaced ? "i" : "")@\(mode.refresh)"
    }

    private static let beside1080 = """
         1280x720@60 1280x720@59.94 1280x720@50 1024x768@60.004 800x600@60.317 720x576@50 720x576i@50 720x480@60 \
        720x480@59.94 640x480@60 640x480@59.94
        """
    private static let of1080 = """
        1920x1080@59.94 1920x1080@50 1920x1080i@60 1920x1080i@59.94 1920x1080i@50 1920x1080@30 1920x1080@29.97 \
        1920x1080@25 1920x1080@24 1920x1080@23.976
        """

    /// With HDMI 2.0, as those of the big makers do.
    static let fourK = modes(
        """
        3840x2160@60* 4096x2160@60 4096x2160@59.94 4096x2160@50 4096x2160@24 3840x2160@59.94 3840x2160@50 \
        3840x2160@30 3840x2160@29.97 3840x2160@25 3840x2160@24 3840x2160@23.976 1920x1080@60 
        """ + of1080 + beside1080)
    static let fullHD = modes("1920x1080@60* " + of1080 + beside1080)
    /// Its panel has 1366 × 768, which its EDID cannot say.
    static let hdReady = modes(
        """
        1360x768@60.015* 1920x1080i@60 1920x1080i@59.94 1920x1080i@50 1280x720@60 1280x720@59.94 1280x720@50 \
        1024x768@60.004 720x576@50 720x480@59.94 640x480@59.94
        """)
    /// A tube with a converter.
    static let interlaced = modes("1920x1080i@50* 1920x1080i@60 720x576i@50")
    /// Of an emulator.
    static let virtioGPU = modes(
        "1280x720@74.994* 1920x1080@60 1920x1080@50 1600x1200@60 1280x1024@60.02 1024x768@60.004 800x600@60.317 640x480@59.94"
    )
    static let office = modes("1920x1200@59.95* 1920x1080@60 1600x1200@60 1280x1024@60.02 1024x768@60.004")
    static let onlyFourK = modes("3840x2160@30* 3840x2160@25 3840x2160@24")

    static let all = [fourK, fullHD, hdReady, interlaced, virtioGPU, office, onlyFourK]
}
