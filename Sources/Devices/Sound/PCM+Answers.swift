// SPDX-License-Identifier: Apache-2.0
import Time

extension PCM {
    enum SampleFormat: CaseIterable {
        // The order is the order of preference.
        case float, signed32, signed16

        var octets: Int { self == .signed16 ? 2 : 4 }
    }

    enum Written {
        case frames(Int)
        case full
        /// The PCM had an underrun or was stopped by others; it does not play.
        case underrun
        /// The machine was suspended.
        case suspended
    }

    enum Resumption {
        case done, notYet
        /// The PCM cannot be resumed and needs `prepare`.
        case never
    }

    struct Delay {
        /// Frames from the one that the device is playing to the one that will be written next.
        var frames: Int
        /// When the driver measured it; nil means now, because the driver gave no time stamp.
        var at: Monotonic?
    }
}
