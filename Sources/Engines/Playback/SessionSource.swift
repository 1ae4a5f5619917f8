// SPDX-License-Identifier: Apache-2.0
import Venue

/// What a session plays: a `Source` of which the box knows where to find it.
public enum SessionSource: Hashable, Sendable {
    case live(Channel)
    /// Absolute.
    case file(path: String)

    public var channel: Channel? {
        if case .live(let channel) = self { channel } else { nil }
    }
}
