// SPDX-License-Identifier: Apache-2.0
import Time

/// A wish to be elsewhere. Beyond either end it goes to that end.
///
/// The signs are the reference's, and they differ (C14): absolute is positive *away from* live, relative is positive
/// *toward* live. In a file absolute counts from its beginning and relative is positive toward its end.
public enum SeekRequest: Hashable, Sendable {
    /// SVM-58: so far behind live; negative is live.
    case absolute(Nanoseconds)
    /// SVM-57: negative goes back.
    case relative(Nanoseconds)
    /// SVM-59, C2: goes back by the magnitude, whichever sign.
    case rewind(Nanoseconds)

    /// SVM-60: exactly `absolute(0)`.
    public static let live = SeekRequest.absolute(.zero)
}
