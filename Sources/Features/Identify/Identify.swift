// SPDX-License-Identifier: Apache-2.0
import Commands
import Hosting
import Presentation
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
    var colour = ScreenMessage.Background(red: 0, green: 82, blue: 165)

    static let shape = Shape<Self>([
        .setting(
            "colour", \.colour, .formatted(hexadecimal, parse: parse, text: text(of:)), .atOnce,
            "Colour behind the name and id.")
    ])

    private static let hexadecimal = TextFormat(
        "a colour like #0052a5", schema: ["pattern": "^#[0-9A-Fa-f]{6}$"]
    ) { parse($0) != nil }

    private static func parse(_ text: String) -> ScreenMessage.Background? {
        guard text.utf8.count == 7, text.utf8.first == UInt8(ascii: "#"),
            let value = UInt32(text.dropFirst(), radix: 16), text.utf8.dropFirst().first != UInt8(ascii: "+")
        else { return nil }
        return ScreenMessage.Background(
            red: UInt8(value >> 16), green: UInt8(truncatingIfNeeded: value >> 8),
            blue: UInt8(truncatingIfNeeded: value))
    }

    private static func text(of colour: ScreenMessage.Background) -> String {
        let digits = String(UInt32(colour.red) << 16 | UInt32(colour.green) << 8 | UInt32(colour.blue), radix: 16)
        return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }
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
