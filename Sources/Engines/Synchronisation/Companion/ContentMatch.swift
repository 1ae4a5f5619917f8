// SPDX-License-Identifier: Apache-2.0
import CompanionScreens

/// Whether a television's content is of interest.
enum ContentMatch: Hashable, Sendable {
    /// It is, by this stem.
    case matched(ContentIDStem)
    /// The identifier is not known, or partial and the beginning of a stem (CSS-31).
    case undecided
    case unwanted

    /// - Parameter stems: of the content that is of interest; empty for any. Of several that match the longest counts.
    init(_ information: ContentInformation, stems: [ContentIDStem]) {
        guard let contentID = information.contentID else {
            self = .undecided
            return
        }
        let stems = stems.isEmpty ? [ContentIDStem("")] : stems
        let matching = stems.filter { $0.matches(contentID) }
        if let longest = matching.max(by: { $0.text.utf8.count < $1.text.utf8.count }) {
            self = .matched(longest)
        } else {
            let beginning = ContentIDStem(contentID)
            let mayMatch = information.contentIDStatus == .partial && stems.contains { beginning.matches($0.text) }
            self = mayMatch ? .undecided : .unwanted
        }
    }
}
