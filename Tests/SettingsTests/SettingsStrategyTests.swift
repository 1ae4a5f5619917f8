// SPDX-License-Identifier: Apache-2.0
import JSON
import Scene
import Settings
import Testing

struct SettingsStrategyTests {
    private func failure(_ strategies: String, _ rest: String = "") -> String {
        do {
            _ = try Settings(parsing: Array("{\"strategies\":\(strategies)\(rest)}".utf8))
            return "accepted"
        } catch {
            return error.description
        }
    }

    /// PLAY-34: nobody who has not asked for one has one.
    @Test func noneByDefault() {
        #expect(Settings.default.strategies.isEmpty && Settings.default.output.strategies.isEmpty)
    }

    /// PLAY-36: what a strategy must not touch is refused before it is ever put on.
    @Test(arguments: [
        (#"[{"name":"a","layer":"top"}]"#, #"/strategies/0/layer is "top"; expected one of video, controls, "#),
        (
            #"[{"name":"a","layer":"video"},{"name":"a","layer":"video"}]"#,
            #"/strategies/1/name is "a"; expected a name that no other has"#
        ),
        (
            #"[{"name":"a","layer":"video","below":{"x":6000,"width":4001}}]"#,
            "/strategies/0/below/width is 4001; expected at most 4000, because x is 6000"
        ),
        (
            #"[{"name":"a","layer":"video","regions":[{"name":"main"}]}]"#,
            #"/strategies/0/regions/0/name is "main"; expected a name that no layout and no other strategy gives"#
        ),
        (
            #"[{"name":"a","layer":"video","regions":[{"name":"tile16"}]}]"#,
            #"/strategies/0/regions/0/name is "tile16"; expected a name that no layout and no other strategy gives"#
        ),
        (
            #"[{"name":"a","layer":"video","regions":[{"name":"r"}]},{"name":"b","layer":"video","regions":[{"name":"r"}]}]"#,
            #"/strategies/1/regions/0/name is "r"; expected a name that no layout and no other strategy gives"#
        ),
        (
            #"[{"name":"a","layer":"video","regions":[{"name":"r"},{"name":"r"}]}]"#,
            #"/strategies/0/regions/1/name is "r"; expected a name that no other region has"#
        ),
        (
            #"[{"name":"a","layer":"video","audioRegion":"r"}]"#,
            #"/strategies/0/audioRegion is "r"; expected "", because it has no region"#
        ),
        (
            #"[{"name":"a","layer":"video","regions":[{"name":"s"}],"audioRegion":"r"}]"#,
            #"/strategies/0/audioRegion is "r"; expected one of s"#
        ),
        (
            #"[{"name":"a","layer":"video","regions":[{"name":"s","channel":"A"},{"name":"t","channel":"B"}]}]"#,
            "/strategies/0/regions: expected at most 1 with a channel, because of playback.sessionLimit"
        ),
    ])
    func namesWhatIsWrong(strategies: String, expected: String) {
        let text = failure(strategies, #","playback":{"sessionLimit":1}"#)
        #expect(text.contains(expected), "\(text)")
    }

    @Test func namesOfThoseOnAtStart() {
        #expect(
            failure(#"[{"name":"a","layer":"video"}]"#, #","output":{"strategies":["a","b"]}"#)
                == #"/output/strategies/1 is "b"; expected the name of one of strategies (a)"#)
        let layout = #","layouts":[{"name":"L","regions":[{"name":"main"},{"name":"r"}]}]"#
        #expect(
            failure(#"[{"name":"a","layer":"video","regions":[{"name":"r"}]}]"#, layout).contains(
                "/strategies/0/regions/0/name"))
    }

    @Test func theExampleIsRead() throws {
        let file = ConfigFiles.folder.appendingPathComponent("examples/strategies.json")
        let settings = try Settings(parsing: ConfigFiles.octets(file))
        #expect(settings.strategies.map(\.name) == ["sponsors", "evacuation"])
        let (sponsors, evacuation) = (settings.strategies[0], settings.strategies[1])
        #expect(sponsors.layout.layer == .advertisement && sponsors.channels == ["sponsor": "Sponsors"])
        #expect(sponsors.layout.below == SceneArea(x: 0, y: 0, width: 7_500, height: 7_500))
        #expect(evacuation.layout.layer == .emergency && evacuation.audioRegion == "instructions")
        #expect(evacuation.texts == ["instructions": "Please leave by the nearest exit"])
        #expect(evacuation.layout.regions.map(\.layer) == [.emergency])
        #expect(settings.output.strategies == ["sponsors"])
    }
}
