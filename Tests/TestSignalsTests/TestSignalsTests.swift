// SPDX-License-Identifier: Apache-2.0
import Commands
import Display
import FeatureTesting
import Hosting
import JSON
import Mixing
import Presentation
import Scene
import Statistics
import System
import Testing
import Time
import Venue

@testable import TestSignals

@Suite struct TestSignalsTests {
    private final class Seen {
        var inputs: [ScreenText.Input] = []
        var tones: [TestTone?] = []
        var takesTexts = true
        var screen: ScreenStatus?
        var refresh: Int64 = 0
        var mixer = MixerCounters()
        var soundProblem: String?

        var cards: [ScreenTestCard?] {
            inputs.map { input in
                guard case .testCard(let card, _) = input else { return nil }
                return card
            }
        }
    }

    private let seen = Seen()
    private let sounds = RegionSounds(mix: RegionSound(level: 70), main: "main")
    private let statistics = StatisticRegistry()
    private let identity: BoxIdentity
    private let host: FeatureHost
    private let settings: SettingsStore

    init() throws {
        var context = try FeatureContext.testing(
            of: TestSignals.self,
            settings: [
                "box": ["name": "Bar"], "output": ["kind": "headless"], "sound": ["kind": "alsa"],
            ], statistics: statistics)
        identity = try BoxIdentity.load(from: "/proc/touchline")
        context.provide(identity)
        context.provide(sounds)
        context.provide(
            ScreenTextWriter { [seen] input in
                if seen.takesTexts { seen.inputs.append(input) }
                return seen.takesTexts
            })
        context.provide(
            TestSignals.Sources(
                size: { PixelSize(width: 1_920, height: 1_080) }, screen: { [seen] in seen.screen },
                refresh: { [seen] in seen.refresh }, setTone: { [seen] in seen.tones.append($0) },
                sound: { [seen] in seen.mixer }, soundProblem: { [seen] in seen.soundProblem }))
        settings = context.settings
        host = try FeatureHost([TestSignals.self], context)
        host.start()
        seen.mixer.device = "hdmi:CARD=PCH"
    }

    /// The answer, which has the form that the catalogue says, or the refusal.
    private func answer(_ name: String, _ arguments: JSONValue = [:]) throws -> JSONValue {
        let catalogue = Catalogue(FeatureDeclarations([TestSignals.self]).commands)
        var answered = JSONValue.null
        let request = try CommandRequest(command: name, arguments: arguments, in: catalogue)
        _ = host.handle(request) { result in
            switch result {
            case .success(let answer): answered = answer
            case .failure(let status): answered = .string(status.errorString)
            }
        }
        if answered.object != nil {
            let problems = try catalogue.command(named: name).answer.kind.problems(of: answered)
            #expect(problems.isEmpty)
        }
        return answered
    }

    private func hdmi() -> ScreenStatus {
        var screen = ScreenStatus()
        screen.connector = "HDMI-A-1"
        screen.mode = "1920x1080@50"
        screen.display = "TLN TOUCHLINE FHD"
        return screen
    }

    // MARK: The card

    @Test func aCardSaysWhatItGoesTo() throws {
        seen.screen = hdmi()
        seen.refresh = 49_997_000
        let line = "HDMI-A-1, 1920x1080@50, 50.00 Hz, TLN TOUCHLINE FHD"
        #expect(
            try answer("test-card") == [
                "state": "on", "seconds": 600, "size": "1920x1080", "output": .string(line),
            ])
        let lines = [identity.id, line, "Colour bars: 75 %"]
        #expect(seen.cards == [ScreenTestCard(title: "Bar", lines: lines)])
        guard case .testCard(_, let span)? = seen.inputs.last else {
            Issue.record("no card")
            return
        }
        #expect(span == .seconds(600))
        #expect(try answer("test-card", ["state": "off"]) == ["state": "off"])
        #expect(seen.cards.last == .some(nil))
        #expect(statistics.snapshot().group("testSignals")?["cards"]?.json == 1)
    }

    /// A box without a screen draws it all the same, and says that nobody sees it.
    @Test func withoutAScreen() throws {
        let card = try answer("test-card", ["seconds": 5])
        #expect(card["output"] == "1920x1080, no screen" && card["seconds"] == 5)
        #expect(
            card["problem"] == "no screen shows it: the output is drawn in memory alone (output.kind)", "\(card)")
        #expect(seen.cards.count == 1)
    }

    /// The mode has changed while the card is shown: it is written anew, until its time is over.
    @Test func aCardFollowsTheScreen() throws {
        seen.screen = hdmi()
        let shown = SystemClock.monotonic()
        _ = try answer("test-card", ["seconds": 60])
        host.tick(at: shown + .seconds(1))
        #expect(seen.cards.count == 1, "nothing has changed")
        seen.screen?.mode = "1280x720@60"
        host.tick(at: shown + .seconds(2))
        #expect(seen.cards.count == 2 && seen.cards.last??.lines[1].contains("1280x720@60") == true)
        if case .testCard(_, let span)? = seen.inputs.last { #expect(span > .seconds(57) && span < .seconds(59)) }
        seen.takesTexts = false
        seen.screen?.mode = "640x480@60"
        host.tick(at: shown + .seconds(3))
        seen.takesTexts = true
        host.tick(at: shown + .seconds(4))
        #expect(seen.cards.count == 3, "what the text thread did not take is written again")
        host.tick(at: shown + .seconds(62))
        seen.screen?.mode = "1280x720@60"
        host.tick(at: shown + .seconds(63))
        #expect(seen.cards.count == 3)
    }

    @Test func aHangingTextThreadIsTold() throws {
        seen.takesTexts = false
        #expect(try answer("test-card") == "the text thread does not take what is to be shown")
        #expect(try answer("test-card", ["state": "off"]) == "the text thread does not take what is to be shown")
    }

    @Test(arguments: [(0, "0.00"), (50_000_000, "50.00"), (59_940_060, "59.94"), (23_976_000, "23.98")])
    func rates(microHertz: Int64, text: String) {
        #expect(TestSignals.hertz(microHertz) == text)
    }

    // MARK: The tone

    @Test func aToneIsPlayed() throws {
        let usual: JSONValue = [
            "state": "on", "frequency": 1_000, "level": -20, "channel": "all", "seconds": 10, "volume": 70,
            "isMuted": false, "device": "hdmi:CARD=PCH",
        ]
        #expect(try answer("tone") == usual)
        #expect(try answer("tone", ["state": "on"]) == usual)
        let other = try answer(
            "tone", ["frequency": 440, "level": -6, "channel": "each", "seconds": 600])
        #expect(other["channel"] == "each" && other["problem"] == nil)
        #expect(try answer("tone", ["state": "off"]) == ["state": "off"])
        #expect(
            seen.tones == [
                TestTone(), TestTone(), TestTone(frequency: 440, level: -6, channel: .each, seconds: 600), nil,
            ])
        #expect(statistics.snapshot().group("testSignals")?["tones"]?.json == 3)
    }

    /// What the technician needs to know when nothing is heard; the tone is played all the same.
    @Test func itSaysWhyNobodyHearsIt() throws {
        sounds.changeMix { $0.isMuted = true }
        #expect(try answer("tone")["problem"] == "the sound is muted (mute off)")
        sounds.changeMix { $0 = RegionSound(level: 0) }
        #expect(try answer("tone")["problem"] == "the volume is 0 (volume 100)")
        sounds.changeMix { $0 = RegionSound(level: 0, isMuted: true) }
        seen.mixer.isWithoutOutput = 1
        seen.mixer.device = ""
        seen.soundProblem = "snd_pcm_open: No such device"
        let answer = try answer("tone")
        let problem = """
            no output of sound is open (snd_pcm_open: No such device); the sound is muted (mute off); the volume is 0 \
            (volume 100)
            """
        #expect(answer["problem"] == .string(problem))
        #expect(answer["device"] == nil && seen.tones.count == 3)
    }

    @Test func nullIsNoOutput() throws {
        var outcome: Result<SettingsOutcome, SettingsFailure>?
        settings.change(.merge(["sound": ["kind": "null"]]), from: .http) { outcome = $0 }
        _ = try #require(outcome).get()
        #expect(try answer("tone")["problem"] == "sound goes nowhere (sound.kind is null)")
    }

    private static let refused: [(String, JSONValue)] = [
        ("tone", ["frequency": 19]), ("tone", ["frequency": 20_001]), ("tone", ["level": 1]), ("tone", ["level": -61]),
        ("tone", ["channel": "centre"]), ("tone", ["seconds": 601]), ("tone", ["seconds": 0]),
        ("tone", ["state": "loud"]), ("test-card", ["seconds": 0]), ("test-card", ["state": "grey"]),
        ("test-card", ["seconds": 86_401]),
    ]

    @Test(arguments: refused) func whatIsOutOfRangeIsRefused(name: String, arguments: JSONValue) throws {
        #expect(throws: CommandError.self) { _ = try answer(name, arguments) }
        #expect(seen.tones.isEmpty && seen.inputs.isEmpty)
    }
}
