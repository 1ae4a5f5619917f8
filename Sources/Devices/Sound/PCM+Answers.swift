// SPDX-License-Identifier: Apache-2.0
import Time

extension PCM {
    enum SampleFormat: CaseIterable {
        // In order of preference.
        case float, signed32, signed16

        var octets: Int { self == .signed16 ? 2 : 4 }
    }

    enum Written {
        case frames(Int)
        case full
        /// It ran dry, or somebody stopped it, and stands still.
        case underrun
        /// The machine slept.
        case suspended
    }

    enum Resumption {
        case done, notYet
        /// It cannot go on and needs `prepare`.
        case never
    }

    struct Delay {
        /// Between the device's present one and that written next.
        var frames: Int
        /// When it was so; nil: now.
        var at: Monotonic?
    }
}
