// SPDX-License-Identifier: Apache-2.0
import JSON

extension SettingTrial {
    static var ofStage: [SettingTrial] {
        [
            SettingTrial("layouts", [["name": "wall", "regions": [["name": "main"]]]], by: "layouts") { box in
                try box.answer("layouts")["layouts"]?.array?.contains { $0["name"] == "wall" } ?? false
            },
            SettingTrial(
                "strategies",
                [["name": "sponsors", "layer": "advertisement"], ["name": "alarm", "layer": "emergency"]],
                by: "strategies"
            ) { try $0.answer("strategies")["strategies"]?.array?.contains { $0["name"] == "alarm" } ?? false },
            SettingTrial("output.layout", "pip", by: "status: layout") { try $0.answer("status")["layout"] == "pip" },
            SettingTrial("output.transitionMs", 40, by: "stage.layout: the cross-fade") { box in
                _ = try box.answer("layout", "full", "--transition", "fade")
                let shown = try box.answer("events")["events"]?.array?.last { $0["type"] == "stage.layout" }
                return shown?.at("/payload/transitionMs") == 40
            },
            SettingTrial("output.strategies", ["sponsors"], by: "strategies: on") { box in
                try box.answer("strategies")["strategies"]?.array?.contains { $0["isOn"] == true } ?? false
            },
        ]
    }

    static var ofOutput: [SettingTrial] {
        let guest = "shown; GuestPlayerTests, on a screen"
        return [
            SettingTrial("output.kind", "null", by: "status: output") {
                try $0.answer("status")["output"]?.string?.hasPrefix("null") ?? false
            },
            SettingTrial("output.width", 256, by: "screenshot") { try $0.answer("screenshot")["width"] == 256 },
            SettingTrial("output.height", 144, by: "screenshot") { try $0.answer("screenshot")["height"] == 144 },
            SettingTrial("output.mode", "1280x720", by: guest),
            SettingTrial("output.connector", "HDMI-A-1", by: "shown; GuestPlayerTests: refused if not there"),
            SettingTrial("output.planes", by: guest), SettingTrial("output.mirror", by: guest),
            SettingTrial("output.drawing", by: "shown; GuestGLESTests, at the start on a screen"),
        ]
    }

    /// The picture is small in a corner, so that everything else on the stage is text.
    static var ofScreenText: [SettingTrial] {
        let corner: JSONValue = [
            "layouts": [["name": "corner", "regions": [["name": "main", "width": 1_000, "height": 1_000]]]],
            "output": ["layout": "corner"],
        ]
        let noBanner: Look = { try ScreenLook($0).text(in: .banner).isEmpty }
        let banner: Look = { try !ScreenLook($0).text(in: .banner).isEmpty }
        // A screenshot may still be of the layout before.
        let bare: Step = { box in try until({ try ScreenLook($0).text(in: .statistics).isEmpty }, box) }
        let banners: Step = { box in
            try bare(box)
            _ = try box.answer("osd", "banner", "on")
            try until(banner, box)
        }
        let automatic: Step = { _ = try $0.answer("osd", "banner", "auto") }
        return [
            SettingTrial("screenText.enabled", false, by: "pixels: no banner", isSeen: noBanner)
                .given(corner).arranging(banners).tidying(automatic),
            SettingTrial("screenText.strategy", "debug", by: "pixels: statistics, transport bar") { box in
                let look = try ScreenLook(box)
                return !look.text(in: .statistics).isEmpty && !look.text(in: .transport).isEmpty
            }.given(corner).arranging(bare),
            // The number of the channel, which alone has this colour, is where reading begins.
            SettingTrial("screenText.direction", "rightToLeft", by: "pixels: the number is right") { box in
                let blue = try ScreenLook(box).text(in: .banner).filter { $0.blue > 200 && $0.red < 120 }
                return !blue.isEmpty && blue.allSatisfy { $0.x > 200 }
            }.given(corner).arranging(banners).tidying(automatic),
            SettingTrial("screenText.safeAreaPercent", 0, by: "pixels: text at the edge") { box in
                try ScreenLook(box).text(in: .banner).contains { $0.x < 8 }
            }.given(corner).arranging(banners).tidying(automatic),
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
        ]
    }
}
