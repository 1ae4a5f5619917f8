// SPDX-License-Identifier: Apache-2.0

/// How far a companion is on its way to a television's timeline: what it waits for now. Each phase needs the ones before
/// (CSS-21).
public enum CompanionPhase: String, Hashable, Sendable, CaseIterable {
    case stopped
    /// The first message of CSS-CII.
    case informationAwaited
    /// The television has told no `wcUrl`.
    case wallClockUnknown
    case wallClockAwaited
    /// The television has told no `tsUrl`.
    case timelineServerUnknown
    /// The content's identifier is unknown, or partial and may still become one that is of interest (CSS-31).
    case contentAwaited
    /// The content is of no interest.
    case contentUnwanted
    /// The television offers none of the preferred timelines (CSS-28).
    case selectorNotOffered
    /// The connection of CSS-TS, or its first control timestamp.
    case timelineAwaited
    /// The television says that the timeline is not available.
    case timelineUnavailable
    case following
}
