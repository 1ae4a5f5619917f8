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
            SettingTrial("output.rotation", 90, by: "screenshot") { try $0.answer("screenshot")["width"] == 180 },
            SettingTrial("output.overscanPercent", 10, by: "screenshot") {
                try $0.answer("screenshot")["width"] == 256
            },
            SettingTrial("output.mode", "1280x720", by: guest),
            SettingTrial("output.connector", "HDMI-A-1", by: "shown; GuestPlayerTests: refused if not there"),
            SettingTrial("output.planes", by: guest), SettingTrial("output.mirror", by: guest),
            SettingTrial("output.drawing", by: "shown; GuestGLESTests, at the start on a screen"),
            SettingTrial("output.standby", by: "shown; StageActivityTests, on a screen"),
        ]
    }
}
