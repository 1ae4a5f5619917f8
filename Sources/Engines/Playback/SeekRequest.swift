// SPDX-License-Identifier: Apache-2.0
import Time

/// A requested position. A request beyond either end goes to that end.
///
/// The signs are the reference's, and they differ (C14): in a channel an absolute value is positive *away from* live, a
/// relative one is positive *toward* live. In a file an absolute value counts from its beginning, and a relative one is
/// positive toward its end.
public enum SeekRequest: Hashable, Sendable {
    /// This far behind live; negative values count as live (SVM-58).
    case absolute(Nanoseconds)
    /// Relative to the present position; negative goes back (SVM-57).
    case relative(Nanoseconds)
    /// Goes back by the magnitude, whatever the sign (SVM-59, C2).
    case rewind(Nanoseconds)
    /// The medium runs ahead by this much from its next picture on, behind for a negative value, at the very instants at
    /// which it would have been presented: to follow another clock.
    case shift(Nanoseconds)

    /// Goes to live; the same as `absolute(0)` (SVM-60).
    public static let live = SeekRequest.absolute(.zero)
}
