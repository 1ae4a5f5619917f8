// SPDX-License-Identifier: Apache-2.0
import Venue

/// What a session plays: a `Source` that the box has resolved.
public enum SessionSource: Hashable, Sendable {
    case live(Channel)
    /// The path is absolute.
    case file(path: String)

    public var channel: Channel? {
        if case .live(let channel) = self { channel } else { nil }
    }
}
