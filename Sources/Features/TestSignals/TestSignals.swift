// SPDX-License-Identifier: Apache-2.0
import Commands
import Hosting
import Journal
import Mixing
import Presentation
import Settings
import Statistics
import System
import Time
import Venue

/// The feature that has the box make picture and sound itself, so that a technician can judge the screen, the
/// loudspeakers and what lies between them and the box while no stream is there. Both go away by themselves.
public final class TestSignals: Feature {
    public static let summary = """
        what the box draws and plays itself, to judge screen, loudspeakers and cables by: the commands `test-card` and \
        `tone`
        """

    public static var commands: [Handler<TestSignals>] { [Handler(ShowTestCard.self), Handler(PlayTone.self)] }

    private struct Counters {
        var cards = 0
        var tones = 0

        static let statistics: [Statistic<Self>] = [
            .counter("cards", \.cards, "times", "How often a test card was shown."),
            .counter("tones", \.tones, "times", "How often a test tone was played."),
        ]
    }

    private let context: FeatureContext
    private let sources: Sources
    private let screen: ScreenTextWriter
    private let sounds: RegionSounds
    private let id: String
    private let log: Log
    private var counters = Counters()
    /// The card as it was written last, and when it goes away; nil if none is shown.
    private var card: (written: ScreenTestCard, end: Monotonic)?

    public init(_ context: FeatureContext) throws(Status) {
        self.context = context
        sources = context.provided(Sources.self)
        screen = context.provided(ScreenTextWriter.self)
        sounds = context.provided(RegionSounds.self)
        id = context.provided(BoxIdentity.self).id
        log = context.journal.log(for: "signals")
    }

    public func start() {
        context.statistics.attach(
            StatisticGroup("testSignals", Counters.statistics) { [weak self] in self?.counters })
        log(.debug, "picture and sound can be made here")
    }

    /// A card that is shown says at once what has changed: the mode, the screen or the name.
    public func tick(at now: Monotonic) {
        guard let shown = card else { return }
        guard now < shown.end else {
            log(.debug, "the test card's time is over")
            card = nil
            return
        }
        let current = currentCard
        guard current != shown.written, screen.write(.testCard(current, span: shown.end - now)) else { return }
        card = (current, shown.end)
    }

    // MARK: The card

    /// - Throws: `.busy` if the text thread hangs.
    func showCard(for span: Nanoseconds) throws(Status) -> TestCardState {
        let new = currentCard
        let end = SystemClock.monotonic() + span
        try write(.testCard(new, span: span))
        card = (new, end)
        counters.cards += 1
        log(.debug, "a test card is shown", ["seconds": span.seconds, "size": sources.size()])
        return TestCardState(
            state: .on, seconds: span.seconds, size: "\(sources.size())", output: output,
            problem: sources.screen()?.mode == nil ? "no screen shows it: \(missingScreen)" : nil)
    }

    func removeCard() throws(Status) -> TestCardState {
        try write(.testCard(nil, span: .zero))
        if card != nil { log(.debug, "the test card is removed") }
        card = nil
        return TestCardState(state: .off)
    }

    private func write(_ input: ScreenText.Input) throws(Status) {
        guard screen.write(input) else {
            throw .failure(.busy, "the text thread does not take what is to be shown")
        }
    }

    private var settings: Settings { context.settings.running.settings }

    private var currentCard: ScreenTestCard {
        let name = settings.boxName
        return ScreenTestCard(
            title: name.isEmpty ? "Touchline" : name, lines: [id, output, "Colour bars: 75 %"])
    }

    /// What the picture goes to: connector, mode and measured rate, or that there is no screen.
    private var output: String {
        guard let screen = sources.screen(), let mode = screen.mode else { return "\(sources.size()), no screen" }
        let rate = sources.refresh()
        let measured = rate > 0 ? "\(Self.hertz(rate)) Hz" : nil
        return [screen.connector, mode, measured, screen.display].compactMap { $0 }.joined(separator: ", ")
    }

    /// With two decimals.
    static func hertz(_ microHertz: Int64) -> String {
        let hundredths = (microHertz + 5_000) / 10_000
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }

    private var missingScreen: String {
        switch settings.output.kind {
        case .kms: "none is connected"
        case .headless, .headlessGles: "the output is drawn in memory alone (output.kind)"
        case .null: "the output is not drawn at all (output.kind)"
        }
    }

    // MARK: The tone

    func play(_ tone: TestTone) -> ToneState {
        sources.setTone(tone)
        counters.tones += 1
        log(
            .debug, "a test tone is played",
            [
                "hertz": tone.frequency, "dBFS": tone.level, "channel": tone.channel.rawValue, "seconds": tone.seconds,
            ])
        let device = sources.sound().device
        return ToneState(
            state: .on, frequency: tone.frequency, level: tone.level, channel: tone.channel, seconds: tone.seconds,
            volume: sounds.mix.level, isMuted: sounds.mix.isMuted, device: device.isEmpty ? nil : device,
            problem: soundProblem)
    }

    func endTone() -> ToneState {
        sources.setTone(nil)
        log(.debug, "the test tone is ended")
        return ToneState(state: .off)
    }

    /// Why nobody hears the tone; nil if everything that the box knows of is as it should be.
    private var soundProblem: String? {
        let mixer = sources.sound()
        var problems: [String] = []
        if mixer.isWithoutOutput != 0 {
            problems.append("no output of sound is open" + (sources.soundProblem().map { " (\($0))" } ?? ""))
        } else if case .null = settings.sound.output {
            problems.append("sound goes nowhere (sound.kind is null)")
        }
        if sounds.mix.isMuted { problems.append("the sound is muted (mute off)") }
        if sounds.mix.level == 0 { problems.append("the volume is 0 (volume 100)") }
        return problems.isEmpty ? nil : problems.joined(separator: "; ")
    }
}
