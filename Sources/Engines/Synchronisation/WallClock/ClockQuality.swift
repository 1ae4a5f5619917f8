// SPDX-License-Identifier: Apache-2.0
import Time

/// What a clock says of itself in CSS-WC.
public struct ClockQuality: Hashable, Sendable {
    static let worstPrecision = Nanoseconds.seconds(1)

    /// How far one reading may be off.
    public var precision: Nanoseconds
    public var frequencyError: FrequencyError

    public init(precision: Nanoseconds, frequencyError: FrequencyError) {
        self.precision = precision
        self.frequencyError = frequencyError
    }

    public var isPlausible: Bool {
        (.zero...Self.worstPrecision).contains(precision) && frequencyError.isPlausible
    }
}
