// SPDX-License-Identifier: Apache-2.0
import Playback

/// Why what was asked for last in a region is not open. It is known until something else is asked for there.
struct SessionFailures {
    private struct Asked {
        let session: Int
        let name: String
        var why: String?
    }

    /// By region. Fallbacks are not asked for.
    private var asked: [String: Asked] = [:]

    /// nil if what was asked for last in the region did not fail.
    func failure(in region: String) -> (name: String, why: String)? {
        guard let one = asked[region], let why = one.why else { return nil }
        return (one.name, why)
    }

    mutating func started(_ session: PlayingSession, in region: String) {
        guard !session.isFallback else { return }
        asked[region] = Asked(session: session.id, name: session.name)
    }

    mutating func emitted(_ event: PlaybackEvent, in region: String) {
        guard case .session(let session, .fail(let failure)) = event, asked[region]?.session == session else { return }
        asked[region]?.why = failure.why
    }
}
