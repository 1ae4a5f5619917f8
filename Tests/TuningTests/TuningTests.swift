// SPDX-License-Identifier: Apache-2.0
import Commands
import FeatureTesting
import Hosting
import JSON
import LineUp
import Playback
import Reporting
import Settings
import Shapes
import Testing
import Time
import Venue

@testable import Tuning

@Suite struct TuningTests {
    private final class Written {
        var events: [(type: String, payload: JSONValue)] = []
        var performed: [String] = []
        var open: [Int] = []
        var transportAsked = 0
    }

    private let written = Written()
    private let regions: RegionDirectory
    private let lineUp: LineUpView
    private let health = HealthView()
    private let host: FeatureHost
    private let store: SettingsStore
    private let catalogue = Catalogue(FeatureDeclarations([Tuning.self]).commands)

    private static let channels: [JSONValue] = ["One", "Two", "Three"].enumerated().map { index, name in
        ["name": .string(name), "address": "239.1.2.3", "port": .integer(Int64(5_000 + index))]
    }

    init() throws {
        let document: JSONValue = [
            "channels": .array(
                Self.channels + [["name": "Scores", "kind": "data", "address": "239.1.2.4", "port": 5_000]]),
            "playlists": [
                ["name": "Loop", "items": [["file": "/a.mp4", "title": "a"]]]
            ], "health": ["venue": ["locksOutside": true]],
            "license": ["venueName": "Arena", "contentOwner": "Club", "appDeveloper": "Us"],
        ]
        var context = try FeatureContext.testing(settings: document) { [written] name, payload in
            written.events.append((name, payload))
        }
        let settings = context.provided(Settings.self)
        regions = RegionDirectory(PlaybackPolicy(settings), sessionLimit: 2)
        lineUp = LineUpView(LineUp(settings: LineUpSettings(settings)))
        regions.environment.sessionCount = { [written] in written.open.count }
        regions.environment.open = { [written] session, _ in
            written.open.append(session.id)
            return nil
        }
        regions.environment.close = { [written] session in written.open.removeAll { $0 == session } }
        regions.environment.perform = { [written] in written.performed.append("\($0) \($1)") }
        context.provide(regions)
        context.provide(lineUp)
        context.provide(ProgramView())
        context.provide(health)
        context.provide(
            Tuning.Sources(transportAsked: { [written] in written.transportAsked += 1 }))
        host = try FeatureHost([Tuning.self], context)
        store = context.settings
    }

    /// The answer, which has the form that the catalogue says, or the refusal; null if it is still to come.
    private func answer(_ name: String, _ arguments: JSONValue = [:]) throws -> JSONValue {
        var answered = JSONValue.null
        let isHandled = host.handle(try CommandRequest(command: name, arguments: arguments, in: catalogue)) { result in
            switch result {
            case .success(let answer): answered = answer
            case .failure(let status): answered = .string(status.errorString)
            }
        }
        #expect(isHandled)
        if answered.object != nil {
            let problems = try catalogue.command(named: name).answer.kind.problems(of: answered)
            #expect(problems.isEmpty, "\(name): \(problems)")
        }
        return answered
    }

    private func presentPicture(in region: RegionPlayer) throws {
        let session = try #require(region.player.current?.id)
        regions.control(.report(.ready(session: session, duration: nil)), of: session)
        regions.control(.firstPicture(session: session, epoch: 0), of: session)
    }

    @Test func tuneByNameAndNumber() throws {
        #expect(try answer("tune", ["channel": "Two"])["channel"] == "Two")
        let number = try #require(try answer("tune", ["channel": "One"])["number"]?.integer)
        let next = try answer("channel-up")
        #expect(next["channel"] != "One" && next["number"]?.integer.map { $0 > number } == true)
        #expect(try answer("channel-down")["channel"] == "One")
        #expect(try answer("tune", ["channel": .string("\(number)")])["channel"] == "One")
        #expect(
            try answer("tune", ["channel": "Nope"]).string?.hasPrefix(
                "channel 'Nope' is not in the line-up: expected one of One, ") == true)
        #expect(
            try answer("tune", ["channel": "Scores"]) == "channel 'Scores' is a data channel: expected a video channel")
        #expect(try answer("stop") == [:])
        #expect(written.open.isEmpty)
    }

    /// SVM-42, PLAY-13: too many sessions, a region that is not there, and a session that is not open are refused.
    @Test func refusals() throws {
        _ = regions.replace(with: [("side", nil), ("low", nil)])
        _ = try answer("tune", ["channel": "One"])
        _ = try answer("tune", ["channel": "Two", "region": "side"])
        #expect(
            try answer("tune", ["channel": "Three", "region": "low"])
                == "2 sessions are open: expected fewer than playback.sessionLimit (2)")
        #expect(
            try answer("pause", ["session": 2, "region": "main"])
                == "session 2 is discarded: expected the open one (1)")
        #expect(try answer("pause", ["session": 2]) == [:])
        #expect(regions["side"]?.player.current?.isPaused == true && regions.main.player.current?.isPaused == false)
        #expect(
            try answer("tune", ["channel": "One", "region": "top"])
                == "region 'top' is not on the stage: expected one of main, side, low")
        #expect(try answer("position", ["region": "low"]) == "nothing plays: expected a tuned channel or a playlist")
    }

    @Test func playlists() throws {
        let list = try #require(try answer("playlists")["playlists"]?.array?.first)
        #expect(list["name"] == "Loop" && list["items"] == 1 && list["properties"] == [:])
        #expect(list.at("/videos/0/sources") == [["delivery": "FILE", "location": "/a.mp4", "properties": [:]]])
        #expect(try answer("playlist", ["name": "Loop"]) == ["channel": "a"])
        #expect(regions.main.player.current?.isPaused == true, "it waits for play")
        #expect(try answer("play") == [:])
        #expect(try answer("next") == "the playlist has no next item")
        #expect(
            try answer("playlist", ["name": "Other"])
                == "playlist 'Other' is not in the settings: expected one of Loop")
        #expect(try answer("tune", ["channel": "Loop"])["channel"] == "Loop")
        #expect(regions.main.player.current?.isPaused == false, "tuned like a channel it plays")
    }

    private func change(_ patch: JSONValue) throws {
        var outcome: Result<SettingsOutcome, SettingsFailure>?
        store.change(.merge(patch), from: .localSocket) { outcome = $0 }
        _ = try #require(outcome).get()
    }

    /// PLAY-20…22, 28: settings choose among an item's sources; an item that names its source is played in any case; and
    /// what its author noted is answered.
    @Test func sourcesByPolicy() throws {
        let match: JSONValue = [
            "title": "Match", "properties": ["foo": "quux"],
            "sources": [
                ["delivery": "MULTICAST", "location": "One", "properties": ["kbps": 4_000]],
                ["delivery": "FILE", "file": "/a.mp4"], ["delivery": "HLS", "location": "https://a.example/a.m3u8"],
                ["delivery": "MP4", "file": "/b.mp4", "properties": ["kbps": 800]],
            ],
        ]
        let list: JSONValue = [
            "name": "List", "properties": ["sponsor": "Club"], "items": [match, ["file": "/c.mp4"]],
        ]
        func played(_ patch: JSONValue? = nil) throws -> JSONValue? {
            if let patch { try change(["playback": patch]) }
            _ = try answer("stop")
            #expect(try answer("playlist", ["name": "List"])["channel"]?.string != nil)
            return try answer("position")
        }
        try change(["playlists": [list]])
        let first = try played()
        #expect(first?["delivery"] == "MP4" && first?["properties"] == ["foo": "quux"])
        #expect(first?["sourceProperties"] == ["kbps": 800])
        #expect(regions.main.player.current?.source == .file(path: "/b.mp4"))
        #expect(try played(["sourcePolicy": "first"])?["delivery"] == "MULTICAST")
        #expect(regions.main.player.current?.source.channel?.name == "One")
        #expect(try played(["sourcePolicy": "ordered", "sourceOrder": ["HLS", "FILE"]])?["delivery"] == "FILE")
        written.events = []
        let last = try played(["sourceOrder": ["RTP"]])
        #expect(last?["channel"] == "/c.mp4" && last?["delivery"] == "FILE", "its author named it")
        let failed = written.events.first { $0.type == "session.fail" }?.payload
        #expect(failed?["code"] == "noSourceFound" && failed?["why"] == "Match")
        let shown = try #require(try answer("playlists").at("/playlists/0"))
        #expect(shown["properties"] == ["sponsor": "Club"] && shown.at("/videos/0/properties/foo") == "quux")
        #expect(shown.at("/videos/0/sources/3/properties/kbps") == 800)
        #expect(shown.at("/videos/0/sources/2/location") == "https://a.example/a.m3u8")
        _ = try answer("tune", ["channel": "Two"])
        #expect(try answer("position")["delivery"] == .null)
    }

    /// SVM-38, 42: more kbit/s than there may be are refused, with an event; a region that waits has its channel as soon
    /// as there is room.
    @Test func bandwidthIsLimited() throws {
        let channels = Self.channels.enumerated().map { index, channel in
            channel.merging(patch: ["bandwidthKbps": .integer(Int64(3_000 + index))])
        }
        let settings = try Settings(document: ["channels": .array(channels)])
        lineUp.tell(lineUp.current.apply(LineUpSettings(settings)))
        try change(["playback": ["bandwidthLimitKbps": 5_000]])
        #expect(regions.bandwidthLimitKbps == 5_000)
        _ = regions.replace(with: [("side", nil)])
        _ = try answer("tune", ["channel": "One"])
        written.events = []
        let why = "channels of 6001 kbit/s would play: expected at most playback.bandwidthLimitKbps (5000)"
        #expect(try answer("tune", ["channel": "Two", "region": "side"]) == .string(why))
        #expect(regions["side"]?.player.isOpen == false && written.open == [1], "what plays is untouched")
        try #require(written.events.map(\.type) == ["session.refused"])
        let refused = written.events[0].payload
        #expect(refused["what"] == "Two" && refused["region"] == "side" && refused["why"] == .string(why))
        let about = try #require(FeatureDeclarations([Tuning.self]).events.first { $0.type == "session.refused" })
        #expect(ValueKind.record(about.payload).problems(of: refused).isEmpty)
        // Nobody asks again for what a layout waits for.
        written.events = []
        regions["side"]?.awaitsChannel = "Two"
        for _ in 0..<3 {
            regions.tuner?.tuneAwaited()
            host.tick(at: Monotonic(nanoseconds: 0))
        }
        #expect(written.events.count { $0.type == "session.refused" } == 1, "it is told once")
        _ = try answer("stop", ["region": "main"])
        host.tick(at: Monotonic(nanoseconds: 0))
        #expect(regions["side"]?.player.current?.name == "Two")
        #expect(try answer("playlist", ["name": "Loop"])["channel"] == "a", "a file needs none")
    }

    @Test func seekIsAnsweredLater() throws {
        #expect(try answer("live") == "nothing plays: expected a tuned channel or a playlist")
        _ = try answer("tune", ["channel": "One"])
        try presentPicture(in: regions.main)
        regions.environment.position = { _ in
            var position = PlaybackPosition()
            position.available = .seconds(30)
            return position
        }
        var answers: [Result<JSONValue, Status>] = []
        let request = try CommandRequest(command: "rewind", arguments: ["ms": 4_000], in: catalogue)
        #expect(host.handle(request) { answers.append($0) })
        #expect(answers.isEmpty && written.transportAsked == 1)
        #expect(written.performed.last?.contains("seek") == true)
        regions.control(.firstPicture(session: 1, epoch: 1), of: 1)
        #expect(answers == [.success(["offsetMs": 4_000])])
        #expect(try answer("position")["availableMs"] == 30_000)
    }

    @Test func programAndStreams() throws {
        _ = try answer("tune", ["channel": "One"])
        #expect(try answer("program", ["program": 7]) == [:])
        #expect(regions.main.player.current?.choice.program == 7)
        #expect(try answer("program", ["program": "default"]) == [:])
        #expect(regions.main.player.current?.choice.program == nil)
        let stream = StreamInfo(program: 7, pid: 256, codec: "h264", language: nil, isVideo: true, isPlayed: true)
        regions.control(.report(.streamsChanged(session: 1, [stream])), of: 1)
        #expect(
            try answer("streams") == [
                "streams": [
                    [
                        "program": 7, "pid": 256, "codec": "h264", "language": .null, "listedCodec": .null,
                        "isAbsent": false, "isPlayed": true,
                    ]
                ]
            ])
    }

    // MARK: Programs

    private func hear(_ programs: [ListedProgram], in region: RegionPlayer) throws {
        let session = try #require(region.player.current?.id)
        regions.control(.report(.programsChanged(session: session, programs)), of: session)
    }

    private static let listed = [
        ListedProgram(number: 1, name: "Eins", provider: "Club"), ListedProgram(number: 2, name: "Zwei"),
    ]

    /// What a channel's stream lists is kept after it was left, and its programs are tuned by their names.
    @Test func programsByName() throws {
        #expect(try answer("programs") == ["programs": []])
        let unknown = try answer("tune", ["channel": "Zwei"]).string
        #expect(unknown?.hasPrefix("channel 'Zwei' is not in the line-up") == true)
        _ = try answer("tune", ["channel": "One"])
        try hear(Self.listed, in: regions.main)
        let told = try #require(written.events.last { $0.type == "channels.programs" }?.payload)
        #expect(told["channel"] == "One" && told.at("/programs/1/name") == "Zwei")
        let stream = StreamInfo(program: 1, pid: 256, codec: "h264", language: nil, isVideo: true, isPlayed: true)
        let session = try #require(regions.main.player.current?.id)
        regions.control(.report(.streamsChanged(session: session, [stream])), of: session)
        _ = try answer("tune", ["channel": "Two", "region": "main"])
        let id = try lineUp.current.entry(of: "One").id.text
        let rows: JSONValue = [
            "programs": [
                [
                    "channel": "One", "program": 1, "name": "Eins", "provider": "Club", "isPlayed": false,
                    "id": .string(id),
                ],
                [
                    "channel": "One", "program": 2, "name": "Zwei", "provider": .null, "isPlayed": false,
                    "id": .string(id),
                ],
            ]
        ]
        #expect(try answer("programs") == rows && answer("programs", ["channel": "One"]) == rows)
        #expect(try answer("programs", ["channel": "Two"]) == ["programs": []])

        #expect(try answer("tune", ["channel": "Zwei"])["channel"] == "One")
        #expect(regions.main.player.current?.choice.program == .name("Zwei"))
        try hear(Self.listed, in: regions.main)
        let refused = "program 'Drei' is not in channel 'One': expected one of 1 Eins, 2 Zwei"
        #expect(try answer("tune", ["channel": "One", "program": "Drei"]) == .string(refused))
        #expect(try answer("program", ["program": "Drei"]) == .string(refused))
        #expect(try answer("tune", ["channel": "One", "program": 1])["channel"] == "One")
        #expect(regions.main.player.current?.choice.program == 1)
        // Of a channel that is not received, nothing is ruled out.
        #expect(try answer("tune", ["channel": "Two", "program": "Drei"])["channel"] == "Two")
        #expect(
            try answer("tune", ["channel": "Loop", "program": 1])
                == "'Loop' is a playlist: expected a channel for program 1")
        try hear(Self.listed, in: regions.main)
        #expect(
            try answer("tune", ["channel": "Zwei"])
                == "program 'Zwei' is in several channels: expected '--program' with one of One, Two")
        lineUp.tell(lineUp.current.apply(LineUpSettings()))
        #expect(try answer("programs") == ["programs": []])
    }

    // MARK: Without a command

    /// A channel that is awaited is tuned when it is listed, and only then.
    @Test func awaitedChannels() throws {
        regions.main.awaitsChannel = "Late"
        host.start()
        #expect(!regions.main.player.isOpen)
        regions.main.awaitsChannel = "Two"
        let entry = try lineUp.current.entry(of: "Two")
        lineUp.tell([.channelAdded(entry)])
        #expect(regions.main.player.current?.name == "Two" && regions.main.awaitsChannel == nil)
        // It was removed and is listed again when that is told.
        lineUp.tell([.channelRemoved(entry, .deleted), .channelAdded(entry)])
        #expect(regions.main.player.current?.name == "Two" && written.open.count == 1)
        lineUp.tell(lineUp.current.apply(LineUpSettings()))
        #expect(written.events.contains { $0.type == "video.currentChannelInvalid" } && !regions.main.player.isOpen)
        // When it is there again it is tuned again, unless somebody has stopped it meanwhile.
        #expect(regions.main.awaitsChannel == entry.id.text)
        lineUp.tell(lineUp.current.apply(LineUpSettings(store.running.settings)))
        #expect(regions.main.player.current?.name == "Two" && regions.main.awaitsChannel == nil)
        lineUp.tell(lineUp.current.apply(LineUpSettings()))
        _ = try answer("stop")
        lineUp.tell(lineUp.current.apply(LineUpSettings(store.running.settings)))
        #expect(!regions.main.player.isOpen)
    }

    /// SVM-99: outside the venue nothing plays; inside again, what played is tuned.
    @Test func theLock() throws {
        _ = try answer("tune", ["channel": "One", "program": 7])
        var snapshot = HealthView.Snapshot()
        snapshot.missedVenue = "Arena"
        health.publish(snapshot)
        #expect(written.open.isEmpty && regions.main.awaitsChannel != nil)
        #expect(try answer("tune", ["channel": "Two"]).string?.hasPrefix("venue 'Arena' is not heard") == true)
        snapshot.missedVenue = nil
        health.publish(snapshot)
        #expect(regions.main.player.current?.name == "One" && regions.main.player.current?.choice.program == 7)
    }

    /// SVM-12: settings take effect while the box runs, and what plays goes on.
    @Test func settingsChange() throws {
        try change(["playback": ["autoTune": "Two", "sessionLimit": 1]])
        #expect(regions.main.player.current?.name == "Two" && regions.sessionLimit == 1)
        _ = regions.replace(with: [("side", nil)])
        #expect(
            try answer("tune", ["channel": "One", "region": "side"])
                == "1 sessions are open: expected fewer than playback.sessionLimit (1)")
        try change(["playback": ["autoTune": "One", "fallback": "defaultChannel", "defaultChannel": "Three"]])
        #expect(regions.main.player.current?.name == "Two", "something plays already")
        #expect(regions.main.player.policy.fallback == .defaultChannel("Three"))
        #expect(regions["side"]?.player.policy.fallback == .slate, "that is the layout's business")
        regions.control(.report(.failed(session: 1, why: "no more")), of: 1)
        #expect(regions.main.player.current?.name == "Three")
        try change(["playlists": [["name": "New", "items": [["file": "/b.mp4"]]]]])
        #expect(try answer("playlists").at("/playlists/0/name") == "New")
    }

    /// Each event has the form that the catalogue says; outside `main` it names the region.
    @Test func events() throws {
        _ = regions.replace(with: [("side", nil)])
        _ = try answer("tune", ["channel": "One", "region": "side"])
        try presentPicture(in: try #require(regions["side"]))
        regions.control(.report(.failed(session: 1, why: "no more")), of: 1)
        let declared = FeatureDeclarations([Tuning.self]).events
        for (type, payload) in written.events {
            let about = try #require(declared.first { $0.type == type }, "\(type) is not declared")
            #expect(ValueKind.record(about.payload).problems(of: payload).isEmpty, "\(type): \(payload.text())")
            #expect(payload["region"] == "side")
        }
        let types = written.events.map(\.type)
        #expect(types.first == "video.channelState" && types.contains("session.fail"))
        #expect(written.events.first { $0.type == "session.fail" }?.payload["why"] == "no more")
    }
}
