// SPDX-License-Identifier: Apache-2.0
import Commands
import Hosting
import Presentation
import Scene
import Settings
import Shapes
import Statistics
import System
import Time
import Venue

/// The feature that shows which box a screen belongs to (SVM-131): somebody below twenty screens looks up.
public final class Identify: Feature {
    public static let summary = "which box a screen belongs to, large on that screen; the command `identify`"

    public static var commands: [Handler<Identify>] { [Handler(ShowIdentity.self)] }
    public static var sections: [SectionDescription] { [SectionDescription(IdentifySettings.self)] }

    private struct Counters {
        var shown = 0

        static let statistics: [Statistic<Self>] = [
            .counter("shown", \.shown, "times", "How often the box has shown its name and id.", .page)
        ]
    }

    private let context: FeatureContext
    private let screen: ScreenTextWriter
    private let id: String
    private var settings: IdentifySettings
    private var name: String
    private var counters = Counters()
    /// When the name leaves the screen; nil before it is shown.
    private var end: Monotonic?

    public init(_ context: FeatureContext) throws(Status) {
        self.context = context
        screen = context.provided(ScreenTextWriter.self)
        id = context.provided(BoxIdentity.self).id
        settings = context.settings.running[IdentifySettings.self]
        name = context.settings.running.settings.boxName
        context.settings.follow(IdentifySettings.self) { [weak self] settings in
            self?.settings = settings
            self?.rewrite()
        }
        context.settings.follow(["box"]) { [weak self] new, _ in
            self?.name = new.boxName
            self?.rewrite()
        }
    }

    public func start() {
        context.statistics.attach(
            StatisticGroup("identify", Counters.statistics) { [weak self] in self?.counters })
    }

    /// - Throws: `.busy` if the text thread hangs.
    func show(for span: Nanoseconds) throws(Status) -> Identity {
        let end = SystemClock.monotonic() + span
        guard write(until: end) else { throw .failure(.busy, "the text thread does not take what is to be written") }
        self.end = end
        counters.shown += 1
        return Identity(name: name, id: id)
    }

    private func write(until end: Monotonic) -> Bool {
        let text = name.isEmpty ? id : "\(name)\n\(id)"
        let message = ScreenMessage(text, background: settings.colour, isLarge: true)
        return screen.write(.message(message, span: end - SystemClock.monotonic()))
    }

    /// What is on the screen gets the new name or colour at once.
    private func rewrite() {
        if let end, SystemClock.monotonic() < end { _ = write(until: end) }
    }
}

struct IdentifySettings: SettingsSection {
    static let name = "identify"
    static let help = "How a box shows which it is."
    var colour = RGBColour(red: 0, green: 82, blue: 165)

    static let shape = Shape<Self>([
        .setting(
            "colour", \.colour, .formatted(.colour, parse: { RGBColour($0) }, text: { $0.text }), .atOnce,
            "Colour behind the name and id.")
    ])
}

struct ShowIdentity: Command {
    var seconds: Int64 = 10

    static let about = About(
        "identify", "Show the name and id of the box on its screen", role: .operator, example: "")
    static let shape = Shape<Self>([
        .option("seconds", \.seconds, .integer(1...600), "How long; absent: 10.")
    ])

    func run(on identify: Identify) throws(Status) -> Identity { try identify.show(for: .seconds(seconds)) }
}

struct Identity: Answer {
    let name: String
    let id: String

    static let shape = Shape<Self>([
        .value("name", \.name, .text, "the box's name in the settings"),
        .value("id", \.id, .text, "the identity of the box"),
    ])
}
