// SPDX-License-Identifier: Apache-2.0
import Commands
import Hosting
import JSON
import Settings
import Shapes
import Venue

/// Writes the layout on the stage, as commands have changed it, into the settings (MEET-47).
struct KeepLayout: DeferredCommand, CalledCommand {
    var name: String?
    var caller = Caller.service

    static let about = About(
        "layout-keep", "Write the layout of the stage into the settings",
        help: """
            As commands have changed it: regions, viewport, and the channels that the layout has. The box starts with it
            from now on. Answers when it is kept.
            """,
        role: .administrator)
    static let shape = Shape<Self>([
        .optionalArgument(
            "name", \.name, .absentOr(.text(1...32)), names: "layouts",
            "Of the layout from now on; absent: the one that it has, unless that is built-in.")
    ])

    func run(on layouts: Layouts, _ reply: Reply<KeptLayout>) { layouts.keep(as: name, from: caller, reply) }
}

struct KeptLayout: Answer {
    let layout: String
    let revision: Int
    let returnTo: Int?

    static let shape = Shape<Self>([
        .value("layout", \.layout, .text, "name of the layout, which is on"),
        .value("revision", \.revision, .count, "of the settings, which have it"),
        .unlessNil(
            "returnTo", \.returnTo, .count,
            "the revision that is in force again unless this one proves itself; absent: it need not"),
    ])
}

extension Layouts {
    fileprivate func keep(as name: String?, from caller: Caller, _ reply: Reply<KeptLayout>) {
        let (shown, wasChanged) = layout
        var kept = shown
        kept.stage.name = name ?? shownName
        let builtIn = Settings.Layout.builtIn.map(\.stage.name) + [Settings.Layout.gallery]
        guard !builtIn.contains(kept.stage.name) else {
            let why = "layout '\(kept.stage.name)' is built-in: expected a name of its own for what is kept"
            return reply(.failure(.failure(.failed, why)))
        }
        var all = settings.layouts
        if let place = all.firstIndex(where: { $0.stage.name == kept.stage.name }) {
            all[place] = kept
        } else {
            all.append(kept)
        }
        let patch: JSONValue = [
            "layouts": .array(all.map(\.json)), "output": ["layout": .string(kept.stage.name)],
        ]
        // The settings that come must not be taken for another layout to show.
        layout.isChanged = true
        let terms = SettingsTerms(author: caller.author, comment: "layout-keep")
        context.settings.change(.merge(patch), from: caller.origin, terms) { [weak self] result in
            let isSame = self?.layout.shown == shown
            switch result {
            case .success(let outcome):
                if isSame {
                    self?.layout = (kept, false)
                    self?.arrange(.cut, awaiting: [:])
                }
                let returnTo = outcome.confirmation?.returnTo.number
                reply(
                    .success(KeptLayout(layout: kept.stage.name, revision: outcome.revision, returnTo: returnTo)))
            case .failure(let failure):
                if isSame { self?.layout.isChanged = wasChanged }
                reply(.failure(failure.status))
            }
        }
    }
}
