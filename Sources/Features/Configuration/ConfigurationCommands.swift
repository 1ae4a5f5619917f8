// SPDX-License-Identifier: Apache-2.0
import Commands
import Hosting
import JSON
import Shapes
import Venue

struct ShowSettings: Command {
    var path: String?

    static let about = About(
        "config", "Show the effective settings",
        help: """
            With PATH, the part at that path: a name with dots such as sound.volume, or a JSON pointer such as \
            /sound/volume. An element of a list has an index, or its name.
            """,
        form: .document, example: "")
    static let shape = Shape<Self>([
        .optionalArgument(
            "path", \.path, .absentOr(.text(1...256)), names: "settings", "Path of a setting; absent: all of them.")
    ])

    func run(on configuration: Configuration) throws(Status) -> ShownSettings {
        let store = configuration.store
        guard let path else { return ShownSettings(config: store.shown, store.revision) }
        do {
            let explanation = try store.explanation(of: SettingsPath(path))
            return ShownSettings(config: explanation.value ?? .null, store.revision)
        } catch {
            throw error.status
        }
    }
}

struct ShownSettings: Answer {
    let config: JSONValue
    let revision: Int
    let author: String

    init(config: JSONValue, _ revision: SettingsRevision) {
        self.config = config
        self.revision = revision.number
        author = revision.author
    }

    static let shape = Shape<Self>([
        .value("config", \.config, .anything, "settings with every default, secrets masked"),
        .value("revision", \.revision, .count, "that is in force; 0: none was written"),
        .value("author", \.author, .text, "what wrote it: an interface, or the path of a file"),
    ])
}

struct ExplainSetting: Command {
    var path = ""

    static let about = About(
        "config-explain", "Explain a setting, and where its value comes from",
        help: "touchline config explain sound.volume", example: "sound.volume")
    static let shape = Shape<Self>([
        .argument(
            "path", \.path, .text(1...256), names: "settings",
            "Path of a setting, such as sound.volume or /sound/volume.")
    ])

    func run(on configuration: Configuration) throws(Status) -> ExplainedSetting {
        do {
            return ExplainedSetting(try configuration.store.explanation(of: SettingsPath(path)))
        } catch {
            throw error.status
        }
    }
}

struct ExplainedSetting: Answer {
    let explanation: SettingExplanation

    init(_ explanation: SettingExplanation) { self.explanation = explanation }

    static let shape = Shape<Self>([
        .value("path", \.explanation.path, .text, "as a JSON pointer"),
        .computed("value", .anything, "in the settings; absent: none") { $0.explanation.value },
        .value("source", \.explanation.source, .choice, "default, image or revision"),
        .computed("default", .anything, "without any revision; absent: none") { $0.explanation.standard },
        .value("help", \.explanation.field.help, .text, "what it is for"),
        .value("expected", \.explanation.field.type.expectation, .text, "which values it may have"),
        .computed("change", .choice, "what a change interrupts") { $0.explanation.field.change },
        .value("isLocalOnly", \.explanation.field.isLocalOnly, .boolean, "whether only the local socket changes it"),
        .value("awaitsRestart", \.explanation.awaitsRestart, .boolean, "whether the value is not in effect yet"),
    ])
}

struct SetSetting: ChangingCommand {
    var path = ""
    var value: JSONValue = .null
    var check = false
    var comment = ""
    var base: Int?
    var confirmWithinS: Int?
    var caller = Caller.service

    static let about = About(
        "config-set", "Change one setting",
        help: """
            touchline config set sound.volume 40; an element of a list: channels.News.port 5006; a new one: channels.- \
            '{"name":…}'. Answers when the change is in effect and kept.
            """, role: .administrator)
    static let shape = Shape<Self>(
        [
            .argument("path", \.path, .text(1...256), names: "settings", "Path of the setting."),
            .argument("value", \.value, .anything, "Its new value, as JSON or as a plain word."),
            .option("check", \.check, .boolean, "Only tell what would change, and what that interrupts."),
        ] + options)

    func run(on configuration: Configuration, _ reply: Reply<SettingsReport>) {
        configuration.change(.set(SettingsPath(path), value), from: caller, terms(isTrial: check), reply)
    }
}

struct ResetSetting: ChangingCommand {
    var path = ""
    var check = false
    var comment = ""
    var base: Int?
    var confirmWithinS: Int?
    var caller = Caller.service

    static let about = About(
        "config-reset", "Give a setting its default, or remove an element of a list",
        help: "The default is the image's, where the image has one.", role: .administrator)
    static let shape = Shape<Self>(
        [
            .argument(
                "path", \.path, .text(1...256), names: "settings",
                "Path of the setting, of a group of settings, or of an element."),
            .option("check", \.check, .boolean, "Only tell what would change, and what that interrupts."),
        ] + options)

    func run(on configuration: Configuration, _ reply: Reply<SettingsReport>) {
        configuration.change(.reset(SettingsPath(path)), from: caller, terms(isTrial: check), reply)
    }
}

struct MergeSettings: ChangingCommand {
    var settings: JSONValue = .null
    var comment = ""
    var base: Int?
    var confirmWithinS: Int?
    var caller = Caller.service

    static let about = About(
        "config-merge", "Change the settings that a document names",
        help: "A JSON Merge Patch (RFC 7396): absent is unchanged, null is the default, arrays replace.",
        role: .administrator, route: HTTPRoute(.patch, "config", body: "settings"))
    static let shape = Shape<Self>([.document("settings", \.settings, "The patch.")] + options)

    func run(on configuration: Configuration, _ reply: Reply<SettingsReport>) {
        configuration.change(.merge(settings), from: caller, terms(), reply)
    }
}

struct ReplaceSettings: ChangingCommand {
    var settings: JSONValue = .null
    var comment = ""
    var base: Int?
    var confirmWithinS: Int?
    var caller = Caller.service

    static let about = About(
        "config-replace", "Replace all settings by a document",
        help: "A setting that is absent gets its default.", role: .administrator,
        route: HTTPRoute(.put, "config", body: "settings"))
    static let shape = Shape<Self>([.document("settings", \.settings, "The whole document.")] + options)

    func run(on configuration: Configuration, _ reply: Reply<SettingsReport>) {
        configuration.change(.replace(settings), from: caller, terms(), reply)
    }
}

struct CheckSettings: DeferredCommand, CalledCommand {
    var settings: JSONValue = .null
    var merge = false
    var caller = Caller.service

    static let about = About(
        "config-check", "Check a document of settings and tell what it would change",
        help: "Nothing changes. All problems are named.", role: .operator)
    static let shape = Shape<Self>([
        .document("settings", \.settings, "The whole document."),
        .option("merge", \.merge, .boolean, "The document is a patch, as for config merge."),
    ])

    func run(on configuration: Configuration, _ reply: Reply<SettingsReport>) {
        let edit: SettingsEdit = merge ? .merge(settings) : .replace(settings)
        configuration.change(edit, from: caller, SettingsTerms(isTrial: true), reply)
    }
}
