// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Discovery
import Time

/// Which of the televisions on the link is followed.
///
/// It stays the same one while it is there. Of several it is the first by its name. One that presents other content than
/// the settings want is left for the next, and after the last the first has its turn again.
struct TelevisionChoice {
    /// How long a television that presents other content is given: a programme may be changing.
    static let patience = Nanoseconds.seconds(5)

    /// Those that can be followed, by their unique names.
    private var televisions: [String: Television] = [:]
    private(set) var chosen: Television?
    /// Since when the chosen one presents other content; nil while it does not.
    private var misfitSince: Monotonic?

    /// In the order in which they have their turn.
    var all: [Television] { televisions.values.sorted { ($0.name, $0.uniqueName) < ($1.name, $1.uniqueName) } }

    mutating func found(_ television: Television) {
        guard television.services.contentInformation != nil else { return lost(television) }
        televisions[television.uniqueName] = television
        if chosen == nil || chosen?.uniqueName == television.uniqueName { choose(television) }
    }

    mutating func lost(_ television: Television) {
        televisions[television.uniqueName] = nil
        if chosen?.uniqueName == television.uniqueName { choose(all.first) }
    }

    /// - Parameter fits: whether the chosen one presents what is wanted; true if that is not known.
    mutating func looked(fits: Bool, at now: Monotonic) {
        guard !fits, let chosen else {
            misfitSince = nil
            return
        }
        let since = misfitSince ?? now
        misfitSince = since
        guard now - since >= Self.patience else { return }
        let all = all
        let place = all.firstIndex { $0.uniqueName == chosen.uniqueName } ?? 0
        choose(all[(place + 1) % all.count])
    }

    private mutating func choose(_ television: Television?) {
        chosen = television
        misfitSince = nil
    }
}
