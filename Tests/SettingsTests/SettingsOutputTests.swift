// SPDX-License-Identifier: Apache-2.0
import Scene
import Settings
import Testing
import Time

struct SettingsOutputTests {
    private static func output(_ members: String) -> Settings.Output? {
        // What is refused is nil.
        try? Settings(parsing: Array("{\"output\":{\(members)}}".utf8)).output
    }

    @Test func screensAreChosenByUs() {
        #expect(Settings.default.output.mode == nil && Settings.default.output.connector == nil)
        #expect(!Settings.default.output.isMirrored && Self.output(#""mirror":true"#)?.isMirrored == true)
        #expect(Self.output(#""mode":null,"connector":"""#)?.mode == nil)
    }

    @Test func modes() throws {
        let size = PixelSize(width: 1_920, height: 1_080)
        #expect(Self.output(#""mode":"1920x1080@59.94""#)?.mode == .size(size, .ntscFields))
        #expect(Self.output(#""mode":"preferred""#)?.mode == .preferred)
        #expect(Self.output(#""mode":"@50""#)?.mode == .rate(FrameRate(50)))
        #expect(Self.output(#""mode":"1920x1080@""#) == nil)
    }

    @Test func mountings() {
        #expect(Settings.default.output.mounting == ScreenMounting())
        let output = Self.output(#""width":1920,"height":1080,"rotation":270,"overscanPercent":5"#)
        #expect(output?.mounting == ScreenMounting(rotation: .threeQuarters, overscanPercent: 5))
        #expect(output.map { $0.mounting.stage(on: $0.screen) } == PixelSize(width: 972, height: 1_728))
        for refused in [#""rotation":45"#, #""rotation":360"#, #""overscanPercent":11"#, #""overscanPercent":-1"#] {
            #expect(Self.output(refused) == nil, "\(refused)")
        }
    }

    @Test func connectors() {
        for name in ["HDMI-A-1", "DP-2", "eDP-1", "Virtual-1", "DVI-I-12", "Composite-1"] {
            #expect(Self.output("\"connector\":\"\(name)\"")?.connector == name)
        }
        for name in [
            "HDMI", "HDMI-", "-1", "HDMI-A-0", "HDMI-A-01", "HDMI-A-1000", "HDMI A-1", "card0-HDMI-A-1", "../HDMI-A-1",
            "HDMI-A-1 ", "ÄDP-1", "DisplayPortAndMore-1",
        ] {
            #expect(Self.output("\"connector\":\"\(name)\"") == nil, "\(name)")
        }
    }
}
