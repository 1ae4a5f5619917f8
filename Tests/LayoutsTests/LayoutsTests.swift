// SPDX-License-Identifier: Apache-2.0
import Commands
import Hosting
import JSON
import Playback
import Presentation
import Reporting
import Scene
import Shapes
import Testing
import Time
import Venue

@testable import Layouts

@Suite struct LayoutsTests {
    private static let settings: JSONValue = [
        "box": ["name": "Bar 3"], "output": ["transitionMs": 0], "playback": ["sessionLimit": 3],
        "layouts": [
            [
                "name": "two",
                "regions": [["name": "main", "channel": "C1"], ["name": "side", "channel": "C2", "width": 5_000]],
            ]
        ],
        "strategies": [
            [
                "name": "alarm", "layer": "emergency", "audioRegion": "exit",
                "regions": [["name": "exit", "channel": "Nobody", "text": "Please leave"]],
            ]
        ],
    ]
    private let stand: Stand

    init() throws { stand = try Stand(Self.settings) }

    private func names(_ answer: JSONValue) -> [String] {
        answer["regions"]?.array?.compactMap { $0["name"]?.string } ?? []
    }

    private func row(_ name: String, of answer: JSONValue) -> JSONValue? {
        answer["regions"]?.array?.first { $0["name"]?.string == name }
    }

    /// SVM-71: regions that both layouts have keep their sessions; those that go are closed.
    @Test func layoutsFollowEachOther() throws {
        let two = try stand.answer("layout", ["name": "two"])
        #expect(names(two) == ["main", "side"])
        #expect(row("side", of: two)?["plays"] == "C2" && row("side", of: two)?["isMuted"] == true)
        #expect(two.at("/document/name") == "two")
        let session = stand.regions.main.player.current?.id
        let full = try stand.answer("layout", ["name": "full", "transition": "fade", "durationMs": 100])
        #expect(names(full) == ["main"] && stand.regions.main.player.current?.id == session)
        #expect(stand.stages.last?.transition == .crossFade(.milliseconds(100)))
        #expect(stand.regions.environment.sessionCount() == 1)
        #expect(
            try stand.answer("layout", ["name": "wall"])
                == "layout 'wall' is not there: expected one of full, pip, quad, two, gallery")
        #expect(try stand.answer("layout") == full, "a refusal changes nothing")
        #expect(try stand.answer("layouts")["layouts"]?.array?.count == 5)
    }

    /// SVM-42: a layout with too many sessions is refused as a whole.
    @Test func tooManySessions() throws {
        _ = try stand.answer("gallery", ["channels": "C1,C2,C3"])
        let before = try stand.answer("regions")
        #expect(
            try stand.answer("gallery", ["channels": "C1,C2,C3,C4"])
                == "channels are 4; expected at most playback.sessionLimit (3)")
        #expect(
            try stand.answer("region", ["name": "new", "x": 0, "y": 0, "width": 100, "height": 100, "channel": "C4"])
                == "3 sessions are open: expected fewer than playback.sessionLimit (3)")
        #expect(
            try stand.answer("gallery", ["channels": "C1,Nope"]) == "channel 'Nope' is not in the line-up")
        #expect(try stand.answer("regions") == before)
    }

    /// SVM-38: a layout whose channels need more bandwidth than there is is refused as a whole; an emergency makes room.
    @Test func tooMuchBandwidth() throws {
        let channels = [("C1", 4_000), ("C2", 5_000), ("C3", 3_000), ("Nobody", 2_000)].enumerated().map { index, one in
            JSONValue.object([
                "name": .string(one.0), "address": "239.1.2.3", "port": .integer(Int64(5_000 + index)),
                "bandwidthKbps": .integer(Int64(one.1)),
            ])
        }
        let stand = try Stand(Self.settings.merging(patch: ["channels": .array(channels)]))
        stand.regions.bandwidthLimitKbps = 9_000
        var told: [RegionDirectory.Refusal] = []
        stand.regions.emitRefusal = { told.append($0) }
        _ = try stand.answer("layout", ["name": "two"])
        let before = try stand.answer("regions")
        #expect(row("main", of: before)?["plays"] == "C1" && row("side", of: before)?["plays"] == "C2")
        let limit = "expected at most playback.bandwidthLimitKbps (9000)"
        #expect(
            try stand.answer("gallery", ["channels": "C1,C2,C3"])
                == .string("channels of 12000 kbit/s would play: \(limit)"))
        #expect(
            try stand.answer("region", ["name": "new", "x": 0, "y": 0, "width": 100, "height": 100, "channel": "C3"])
                == .string("channels of 12000 kbit/s would play: \(limit)"))
        #expect(told.map(\.what) == ["gallery", "C3"])
        #expect(try stand.answer("regions") == before)
        let on = try stand.answer("strategy", ["name": "alarm", "state": "on"])
        #expect(row("side", of: on)?["plays"] == .null && row("exit", of: on)?["layer"] == "emergency")
        #expect(row("main", of: on)?["plays"] == "C1", "no more gives way than has to")
    }

    /// The gallery is laid out for the shape of the stage; what plays in it goes on.
    @Test func theGalleryFollowsTheStage() throws {
        _ = try stand.answer("gallery", ["channels": "C1,C2"])
        let before = try stand.answer("regions")
        stand.host?[Layouts.self].stageChanged()
        #expect(try stand.answer("regions") == before && stand.events.count { $0.type == "stage.layout" } == 1)
        stand.size = PixelSize(width: 1_080, height: 1_920)
        stand.host?[Layouts.self].stageChanged()
        let after = try stand.answer("regions")
        #expect(row("tile2", of: before)?["y"] == row("main", of: before)?["y"])
        #expect(row("tile2", of: after)?["y"] == 5_000 && row("tile2", of: after)?["x"] == 0)
        #expect(row("tile2", of: after)?["session"] == row("tile2", of: before)?["session"])
        #expect(row("tile2", of: after)?["session"]?.integer != nil)
    }

    @Test func regionsChange() throws {
        #expect(
            try stand.answer("region", ["name": "inset", "x": 1])
                == "y is missing; expected ten-thousandths of the stage, because the region is a new one")
        let area: JSONValue = ["x": 6_000, "y": 6_000, "width": 3_000, "height": 3_000]
        let changed = try stand.answer(
            "region", area.merging(patch: ["name": "inset", "rotation": "90", "crop": "0,0,5000,5000"]))
        #expect(changed["isChanged"] == true && row("inset", of: changed)?["rotation"] == 90)
        #expect(row("inset", of: changed)?.at("/crop/width") == 5_000)
        #expect(
            try stand.answer("region", ["name": "inset", "x": 8_000])
                == "width is 3000; expected at most 2000, because x is 8000")
        #expect(
            try stand.answer("region", ["name": "inset", "crop": "1,2,3"])
                == "crop is \"1,2,3\"; expected X,Y,WIDTH,HEIGHT, each 0...10000 and not empty")
        #expect(
            try stand.answer("region-remove", ["name": "main"])
                == "region 'main' is always there: expected one of the others")
        #expect(names(try stand.answer("region-remove", ["name": "inset"])) == ["main"])
    }

    /// MEET-46: what the viewport does not show waits.
    @Test func viewport() throws {
        _ = try stand.answer("gallery", ["channels": "C1,C2"])
        #expect(
            try stand.answer("viewport", ["width": 5_000])
                == ["x": 0, "y": 0, "width": 5_000, "height": 10_000])
        #expect(stand.regions["tile2"]?.isVisible == false && stand.regions.main.isVisible)
        #expect(row("tile2", of: try stand.answer("regions"))?["x"] == .null)
        #expect(try stand.answer("viewport", ["pan": "right"])["x"] == 5_000)
        #expect(stand.regions["tile2"]?.isVisible == true && !stand.regions.main.isVisible)
        let event = try #require(stand.events.last)
        #expect(event.type == "stage.layout" && event.payload.at("/viewport/x") == 5_000)
        let declared = FeatureDeclarations([Layouts.self]).events
        let about = try #require(declared.first { $0.type == event.type })
        #expect(ValueKind.record(about.payload).problems(of: event.payload).isEmpty)
    }

    // MARK: Strategies

    /// PLAY-33: an emergency stops what there is no session for, and brings it back; it is heard alone meanwhile.
    @Test func emergency() throws {
        _ = try stand.answer("gallery", ["channels": "C1,C2,C3"])
        _ = stand.takenSlates
        let on = try stand.answer("strategy", ["name": "alarm", "state": "on"])
        #expect(row("exit", of: on)?["layer"] == "emergency" && row("main", of: on)?["isMuted"] == true)
        #expect(row("tile3", of: on)?["plays"] == .null, "it gave way")
        #expect(stand.takenSlates["exit"]?.title == "Please leave")
        let off = try stand.answer("strategy", ["name": "alarm", "state": "off"])
        #expect(row("tile3", of: off)?["plays"] == "C3" && row("main", of: off)?["isMuted"] == false)
        #expect(stand.events.filter { $0.type == "stage.strategy" }.map { $0.payload["isOn"] } == [true, false])
        #expect(
            try stand.answer("region", ["name": "exit", "x": 0])
                == "region 'exit' is of strategy 'alarm': expected one of the layout, or a new name")
    }

    // MARK: Settings

    private static func layout(_ side: JSONValue) -> JSONValue {
        [["name": "two", "regions": [["name": "main", "channel": "C1"], side]]]
    }

    /// SVM-12: a layout that is on follows the settings, unless commands have changed it.
    @Test func layoutsOfTheSettingsChange() throws {
        _ = try stand.answer("layout", ["name": "two"])
        let session = stand.regions.main.player.current?.id
        try stand.change(["layouts": Self.layout(["name": "side", "channel": "C2", "x": 5_000, "width": 5_000])])
        #expect(row("side", of: try stand.answer("regions"))?["x"] == 5_000)
        #expect(stand.regions.main.player.current?.id == session, "it plays on")
        _ = try stand.answer("region", ["name": "side", "x": 4_000])
        try stand.change(["layouts": Self.layout(["name": "side", "channel": "C2", "x": 6_000, "width": 4_000])])
        #expect(row("side", of: try stand.answer("regions"))?["x"] == 4_000, "commands have changed it")
        try stand.change(["layouts": []])
        #expect(names(try stand.answer("regions")) == ["main", "side"], "what is on stays")
    }

    /// The layout at start is followed until a command has chosen another one.
    @Test func theLayoutAtStartChanges() throws {
        try stand.change(["output": ["layout": "two"]])
        #expect(names(try stand.answer("regions")) == ["main", "side"])
        _ = try stand.answer("layout", ["name": "quad"])
        try stand.change(["output": ["layout": "pip"]])
        #expect(try stand.answer("layout")["layout"] == "quad")
        try stand.change(["output": ["strategies": ["alarm"]]])
        #expect(names(try stand.answer("regions")).last == "exit")
        try stand.change(["strategies": .null, "output": ["strategies": .null]])
        #expect(!names(try stand.answer("regions")).contains("exit"))
    }

    @Test func theNameOfTheBoxChanges() throws {
        _ = stand.takenSlates
        try stand.change(["box": ["name": "Bar 4"]])
        #expect(stand.takenSlates["main"]?.title == "Bar 4")
    }

    // MARK: Slates

    /// SVM-96: the slate says why; in `main` it identifies the box.
    @Test func slatesSayWhy() throws {
        let first = try #require(stand.takenSlates["main"])
        #expect(first.title == "Bar 3" && first.footer.first == "Box \(stand.identity.id)")
        #expect(first.lines.last?.hasPrefix("Service down: ") == true)
        stand.health.publish(HealthView.Snapshot())
        #expect(stand.takenSlates.isEmpty, "nothing has changed")
        var snapshot = HealthView.Snapshot()
        snapshot.state = ServiceState(reasons: [])
        stand.health.publish(snapshot)
        #expect(stand.takenSlates["main"]?.lines.last?.hasPrefix("No channels heard on ") == true)
    }

    /// The slate of a channel that has not shown a picture says why as soon as it is known; a picture is not covered.
    @Test func slateOfAChannelWithoutAPicture() throws {
        try stand.tune("C1", in: stand.regions.main)
        #expect(stand.takenSlates["main"]?.lines.last == "C1 is tuned, no picture comes")
        let session = try #require(stand.regions.main.player.current?.id)
        var snapshot = HealthView.Snapshot()
        snapshot.state = ServiceState(reasons: [])
        snapshot.absences = [session: .scrambled]
        stand.health.publish(snapshot)
        #expect(stand.takenSlates["main"]?.lines.last == "C1 shows no picture: it is scrambled")
        stand.health.publish(snapshot)
        stand.host?.tick(at: Monotonic(nanoseconds: 0))
        #expect(stand.takenSlates.isEmpty, "nothing has changed")
        try stand.presentPicture(in: stand.regions.main)
        snapshot.absences = [:]
        stand.health.publish(snapshot)
        #expect(stand.takenSlates.isEmpty)
    }

    /// The service goes down while the channel buffers: the slate covers the frozen picture until the next picture.
    @Test func slateOverASession() throws {
        try stand.tune("C1", in: stand.regions.main)
        try stand.presentPicture(in: stand.regions.main)
        _ = stand.takenSlates
        stand.host?.tick(at: Monotonic(nanoseconds: 0))
        #expect(stand.takenSlates.isEmpty)
        let session = try #require(stand.regions.main.player.current?.id)
        stand.regions.control(.starved(session: session), of: session)
        var snapshot = HealthView.Snapshot()
        snapshot.state = ServiceState(reasons: .wifiDown)
        stand.health.publish(snapshot)
        #expect(stand.takenSlates["main"]?.lines.last == "C1 is tuned, no picture comes")
        stand.regions.control(.fed(session: session), of: session)
        stand.host?.tick(at: Monotonic(nanoseconds: 0))
        #expect(stand.takenSlates.isEmpty)
        stand.regions.control(.starved(session: session), of: session)
        snapshot.state = ServiceState(reasons: [])
        stand.health.publish(snapshot)
        #expect(stand.takenSlates.isEmpty, "while the service is up the last picture stays")
    }

    // MARK: Screenshots

    /// What is for a terminal has columns; a file has not.
    @Test func screenshotsHaveForms() throws {
        _ = try stand.answer("screenshot")
        _ = try stand.answer("screenshot", ["as": "blocks"])
        _ = try stand.answer("screenshot", ["as": "sixel", "columns": 100])
        #expect(stand.styles.map(\.form) == [.png, .blocks, .sixel] && stand.styles.map(\.columns) == [78, 78, 100])
        for arguments in [
            ["as": "jpeg"], ["as": "blocks", "columns": 19], ["as": "blocks", "columns": 201], ["width": 15],
        ] as [JSONValue] {
            #expect(throws: CommandError.self) { _ = try stand.answer("screenshot", arguments) }
        }
        #expect(stand.screenshots == [1, 2, 3])
        let layouts = try #require(stand.host)[Layouts.self]
        layouts.screenshotTaken(3, .success(ScreenshotFile(text: "@@", width: 4, height: 2)))
    }

    @Test func eachScreenshotIsAnsweredOnce() throws {
        var answers: [Result<JSONValue, Status>] = []
        for _ in 0..<2 {
            let request = try CommandRequest(command: "screenshot", in: stand.catalogue)
            _ = stand.host?.handle(request) { answers.append($0) }
        }
        #expect(stand.screenshots == [1, 2] && answers.isEmpty)
        let layouts = try #require(stand.host)[Layouts.self]
        layouts.screenshotTaken(2, .success(ScreenshotFile(png: "AAAA", width: 4, height: 2)))
        layouts.screenshotTaken(2, .failure(.failure(.failed, "late")))
        #expect(answers == [.success(["png": "AAAA", "width": 4, "height": 2])])
        _ = stand.loop.after(.milliseconds(2_050)) { [stand] in stand.loop.stop() }
        try stand.loop.run()
        #expect(answers.last == .failure(.failure(.busy, "the stage did not answer within 2 s")))
        #expect(answers.count == 2)
    }
}
