// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Synchronisation

extension Sync {
    /// The televisions on the link; nil unless they are searched for.
    var found: [TelevisionRow]? { discovery.rows(followed: followed?.text) }

    /// The television that was found, if the settings name none.
    var foundCompanion: CompanionSettings? {
        guard settings.companion == nil, let url = discovery.chosen else { return nil }
        var described = settings
        described.television = url
        return described.companion
    }

    /// Whether the television presents content that is followed. One that says nothing does not.
    var fits: Bool {
        // It is not the one that was found.
        guard let chosen = discovery.chosen, followed?.text == chosen.description else { return true }
        guard let information = link?.information else { return false }
        let required = settings.media.filter(\.isRequired)
        return required.isEmpty || required.contains { ContentIDStem($0.contentId).matches(information.contentID) }
    }
}
