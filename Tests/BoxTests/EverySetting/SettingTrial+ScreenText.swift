// SPDX-License-Identifier: Apache-2.0
import Codecs
import JSON
import Media
import System

extension SettingTrial {
    /// The picture is small in a corner, so that everything else on the stage is text.
    private static let corner: JSONValue = [
        "layouts": [["name": "corner", "regions": [["name": "main", "width": 1_000, "height": 1_000]]]],
        "output": ["layout": "corner"],
    ]

    private static func see(
        in place: ScreenLook.Place, _ isAsWanted: @escaping ([ScreenLook.Pixel]) -> Bool
    ) -> Look { { isAsWanted(try ScreenLook($0).text(in: place)) } }

    private static func see(
        _ place: ScreenLook.Place, _ isColour: @escaping (ScreenLook.Pixel) -> Bool
    ) -> Look { see(in: place) { $0.contains(where: isColour) } }

    private static var automatic: Step { { _ = try $0.answer("osd", "banner", "auto") } }
    private static var banner: Look { see(in: .banner) { !$0.isEmpty } }
    private static var noBanner: Look { see(in: .banner) { $0.isEmpty } }
    /// A screenshot may still be of the layout before.
    private static var bare: Step { { try until(see(in: .statistics) { $0.isEmpty }, $0) } }
    private static var banners: Step {
        { box in
            try bare(box)
            _ = try box.answer("osd", "banner", "on")
            try until(banner, box)
        }
    }

    /// A trial while a banner is shown.
    private func withBanner() -> SettingTrial {
        given(Self.corner).arranging(Self.banners).tidying(Self.automatic)
    }

    static func ofScreenText(_ venue: SettingsVenue) throws -> [SettingTrial] {
        try [
            SettingTrial("screenText.enabled", false, by: "pixels: no banner", isSeen: noBanner).withBanner(),
            SettingTrial("screenText.strategy", "debug", by: "pixels: statistics, transport bar") { box in
                let look = try ScreenLook(box)
                return !look.text(in: .statistics).isEmpty && !look.text(in: .transport).isEmpty
            }.given(corner).arranging(bare),
            // The number of the channel is where reading begins.
            SettingTrial(
                "screenText.direction", "rightToLeft", by: "pixels: the number is right",
                isSeen: see(in: .banner) { pixels in
                    let number = number(in: pixels)
                    return !number.isEmpty && number.allSatisfy { $0.x > 60 }
                }
            ).withBanner(),
            SettingTrial(
                "screenText.safeAreaPercent", 0, by: "pixels: text at the edge", isSeen: see(.banner) { $0.x < 8 }
            ).withBanner(),
            SettingTrial("screenText.bannerMs", 600_000, by: "pixels: a banner after tuning", isSeen: banner)
                .given(corner.merging(patch: ["screenText": ["bannerMs": 0]])).arranging { box in
                    try bare(box)
                    try until(noBanner, box)
                }
                .acting { _ = try $0.answer("tune", "Three") },
            SettingTrial("screenText.timeZone", "Asia/Tokyo", by: "status: local time") { box in
                try box.answer("status")["localTime"]?.string?.contains("+09:00") ?? false
            },
            SettingTrial("identify.colour", "#00c800", by: "pixels: green") { box in
                try ScreenLook(box).text(in: .message).contains { $0.green > 150 && $0.red < 40 && $0.blue < 40 }
            }.given(corner).arranging { box in
                try bare(box)
                _ = try box.answer("identify", "--seconds", "600")
            }
            .tidying { _ = try $0.answer("message-clear") },
        ] + ofTheme(venue)
    }

    private static func ofTheme(_ venue: SettingsVenue) throws -> [SettingTrial] {
        let letters = Letters()
        let logo = venue.wave + ".png"
        let picture = CanvasBuffer(width: 64, height: 64)
        picture.fill(blue: 0, green: 0, red: 255)
        try DurableFile.write(try PNG.encode(picture), to: logo)
        return [
            SettingTrial(
                "screenText.theme.panel", "#003000", by: "pixels: green behind the banner",
                isSeen: see(.banner) { $0.green > 40 && $0.red < 30 && $0.blue < 30 }
            ).withBanner(),
            SettingTrial(
                "screenText.theme.text", "#ffff00", by: "pixels: a yellow name",
                isSeen: see(.banner) { $0.red > 200 && $0.green > 200 && $0.blue < 60 }
            ).withBanner(),
            SettingTrial(
                "screenText.theme.accent", "#ff80ff", by: "pixels: a pink number",
                isSeen: see(.banner) { $0.red > 200 && $0.green < 160 && $0.blue > 200 }
            ).withBanner(),
            SettingTrial(
                "screenText.theme.font", "serif", by: "pixels: the number has another shape",
                isSeen: see(in: .banner) { pixels in
                    let shape = shape(of: number(in: pixels))
                    return !shape.isEmpty && shape != letters.number
                }
            ).given(corner).arranging { box in
                try banners(box)
                let isRead = see(in: .banner) { pixels in
                    letters.number = shape(of: number(in: pixels))
                    return !letters.number.isEmpty
                }
                try until(isRead, box)
            }.tidying(automatic),
            SettingTrial(
                "screenText.theme.corner", "topRight", by: "pixels: the banner is there",
                isSeen: see(in: .topBanner) { !$0.isEmpty }
            ).withBanner(),
            SettingTrial(
                "screenText.theme.logo", .string(logo), by: "pixels: red on the slate of a region",
                isSeen: see(.right) { $0.red > 240 && $0.green < 15 && $0.blue < 15 }
            ).given([
                "layouts": [
                    [
                        "name": "board",
                        "regions": [
                            ["name": "main", "width": 1_000, "height": 1_000],
                            ["name": "slate", "x": 6_000, "y": 2_000, "width": 4_000, "height": 8_000],
                        ],
                    ]
                ], "output": ["layout": "board"],
            ]),
        ]
    }

    private final class Letters {
        /// The number in the letters of the start.
        var number: Set<[Int]> = []
    }

    /// The number of the channel, which alone has this colour.
    private static func number(in pixels: [ScreenLook.Pixel]) -> [ScreenLook.Pixel] {
        pixels.filter { $0.blue > 200 && $0.red < 120 }
    }

    /// Columns and rows from their own left upper corner: the banner's place and width follow what else it says.
    private static func shape(of pixels: [ScreenLook.Pixel]) -> Set<[Int]> {
        let left = pixels.map(\.x).min() ?? 0
        let top = pixels.map(\.y).min() ?? 0
        return Set(pixels.map { [$0.x - left, $0.y - top] })
    }
}
