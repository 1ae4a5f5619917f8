// SPDX-License-Identifier: Apache-2.0
import Timelines

/// How a timeline moves, as far as it matters to a session that follows it.
enum SyncTimeline: Hashable, Sendable {
    case unavailable
    /// The session is held: the timeline is paused, or so are sessions at such a speed.
    case held
    /// The session follows by rate: the timeline is faster than normal by so many parts per billion.
    case followed(faster: Int64)
    /// The session plays at normal speed and jumps now and then.
    case chased

    /// Parts per billion that are followed by rate. A fifth of the greatest rate is left for corrections.
    private static let followable: Int64 = 4_000_000

    init(speed: ClockSpeed, otherSpeeds: SyncConfiguration.OtherSpeeds) {
        let faster = speed.partsPerBillion - ClockSpeed.normal.partsPerBillion
        if faster.magnitude <= Self.followable.magnitude {
            self = .followed(faster: faster)
        } else {
            self = speed.isPaused || otherSpeeds == .hold ? .held : .chased
        }
    }

    /// Whether the session moves with it.
    var isFollowed: Bool {
        switch self {
        case .unavailable, .held: false
        case .followed, .chased: true
        }
    }

    /// Parts per billion by which the session has to be faster than normal.
    var faster: Int64 {
        guard case .followed(let faster) = self else { return 0 }
        return faster
    }

    func isKindOf(_ other: SyncTimeline) -> Bool {
        switch (self, other) {
        case (.followed, .followed): true
        default: self == other
        }
    }
}
