// SPDX-License-Identifier: Apache-2.0
import Commands
import FeatureTesting
import Hosting
import JSON
import Mixing
import Playback
import Testing
import Time
import Venue

@testable import Audio

@Suite struct AudioTests {
    private final class Written {
        var events: [JSONValue] = []
        var output: [String] = []
    }

    private let written = Written()
    private let regions = RegionDirectory(PlaybackPolicy(), sessionLimit: 4)
    private let sounds = RegionSounds(mix: RegionSound(level: 70), main: RegionPlayer.main)
    private let host: FeatureHost
    private let settings: SettingsStore

    init() throws {
        var context = try FeatureContext.testing { [written] name, payload in
            #expect(name == "sound.volume")
            written.events.append(payload)
        }
        regions.environment.open = { _, _ in nil }
        context.provide(regions)
        context.provide(sounds)
        context.provide(
            Audio.Output(
                setMix: { [written] in written.output.append("mix \($0.level) \($0.isMuted)") },
                setSound: { [written] in written.output.append("\($1): \($0.level) \($0.isMuted)") }))
        host = try FeatureHost([Audio.self], context)
        settings = context.settings
    }

    /// The answer, which has the form that the catalogue says, or the refusal.
    private func answer(_ name: String, _ arguments: JSONValue) throws -> JSONValue {
        let catalogue = Catalogue(FeatureDeclarations([Audio.self]).commands)
        var answered = JSONValue.null
        let isHandled = host.handle(try CommandRequest(command: name, arguments: arguments, in: catalogue)) { result in
            switch result {
            case .success(let answer): answered = answer
            case .failure(let status): answered = .string(status.errorString)
            }
        }
        #expect(isHandled)
        if answered.object != nil {
            #expect(try catalogue.command(named: name).answer.kind.problems(of: answered).isEmpty)
        }
        return answered
    }

    private func play(_ name: String, in region: RegionPlayer) throws -> Int {
        let transport = Transport(address: "239.1.1.1", port: 5_000, encapsulation: .raw)
        regions.control(.tune(Channel(id: .init(name), name: name, transport: transport)), in: region)
        return try #require(region.player.current?.id)
    }

    /// SVM-68: of the mix, and of one region before it is mixed.
    @Test func volumeAndMuting() throws {
        host.start()
        let session = try play("One", in: regions.main)
        #expect(try answer("volume", ["volume": 40]) == ["volume": 40, "isMuted": false])
        #expect(try answer("volume", ["volume": 40]) == ["volume": 40, "isMuted": false], "nothing changes")
        #expect(try answer("mute", ["state": "on"]) == ["volume": 40, "isMuted": true])
        #expect(
            try answer("mute", ["state": "on", "region": "main"]) == ["volume": 100, "isMuted": true, "region": "main"])
        #expect(
            try answer("volume", ["volume": 30, "region": "main"])
                == ["volume": 30, "isMuted": false, "region": "main"], "a region whose volume is set is heard")
        #expect(
            written.output == [
                "mix 70 false", "mix 40 false", "mix 40 true", "\(session): 100 true", "\(session): 30 false",
            ])
        #expect(written.events.count == 4)
        #expect(written.events.last == ["volume": 30, "isMuted": false, "region": "main"])
        #expect(
            try answer("mute", ["state": "on", "region": "side"])
                == "region 'side' is not on the stage: expected one of main")
    }

    @Test func oneRegionIsHeard() throws {
        _ = regions.replace(with: [("side", nil), ("low", nil)])
        sounds.arrange(regions.all.map(\.name), alone: nil)
        #expect(try answer("audio-region", ["region": "side"]) == ["volume": 100, "isMuted": false, "region": "side"])
        #expect(["main", "side", "low"].map { sounds.heard(in: $0).isMuted } == [true, false, true])
        #expect(written.events.compactMap { $0["region"]?.string } == ["main", "side"])
    }

    /// A language without a region is that of later regions too.
    @Test func language() throws {
        _ = try play("One", in: regions.main)
        #expect(try answer("audio", ["language": "deu"]) == [:])
        _ = regions.replace(with: [("side", nil)])
        let side = try #require(regions["side"])
        _ = try play("Two", in: side)
        #expect(side.player.current?.choice.audioLanguage == "deu")
        #expect(try answer("audio", ["language": "default", "region": "side"]) == [:])
        #expect(side.player.current?.choice.audioLanguage == nil)
        #expect(regions.main.player.current?.choice.audioLanguage == "deu")
    }

    /// SVM-12: a setting that gives the volume at start does not undo what a person chose since.
    @Test func settingsChange() throws {
        func change(_ patch: JSONValue) throws {
            var outcome: Result<SettingsOutcome, SettingsFailure>?
            settings.change(.merge(patch), from: .localSocket) { outcome = $0 }
            _ = try #require(outcome).get()
        }
        _ = try play("One", in: regions.main)
        _ = try answer("volume", ["volume": 40])
        try change(["sound": ["muted": true]])
        #expect(sounds.mix == RegionSound(level: 40, isMuted: true))
        try change(["sound": ["muted": false, "volume": 55], "playback": ["audioLanguage": "fra"]])
        #expect(sounds.mix == RegionSound(level: 55))
        #expect(regions.main.player.current?.choice.audioLanguage == "fra" && regions.policy.audioLanguage == "fra")
    }

    /// SVM-78: the stage reports that pictures stop, but of sound alone nobody reports it.
    @Test func silenceIsStarvation() throws {
        let session = try play("Radio", in: regions.main)
        let stream = StreamInfo(program: 1, pid: 256, codec: "aac", language: nil, isVideo: false, isPlayed: true)
        regions.control(.report(.ready(session: session, duration: nil)), of: session)
        regions.control(.report(.streamsChanged(session: session, [stream])), of: session)
        regions.control(.soundPlays(session: session, epoch: 0), of: session)
        var epoch: Int? = 0
        regions.environment.soundEpoch = { _ in epoch }
        host.tick(at: Monotonic(nanoseconds: 0))
        epoch = nil
        host.tick(at: Monotonic(nanoseconds: 1))
        #expect(regions.main.player.isPlaying, "one check may have come between two units")
        host.tick(at: Monotonic(nanoseconds: 2))
        #expect(!regions.main.player.isPlaying && regions.main.player.current?.isBuffering == true)
    }
}
